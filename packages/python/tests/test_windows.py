"""The window in which a record came into the log, as `answer_evidence.verify` states it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from answer_evidence.verify import Malformed, attested, cli, examine_bundle
from answer_evidence.verify.attested import Confirmed
from answer_evidence.verify.cores import micros
from answer_evidence.verify.stated_times import YoungestLeaf, assert_not_before
from answer_evidence.verify.timestamps import Stamp, verify_stamp
from answer_evidence.verify.windows import bound_of

FROZEN = Path(__file__).resolve().parents[3] / "e2e/frozen/v1"
BUNDLE = FROZEN / "bundles/both.json"
TRUST = FROZEN / "trust/trust.json"
STATED, UNTIL = "2026-11-22T21:22:12.104090Z", "2026-11-22T21:22:12.494000Z"
NOBODY: dict[str, Any] = {"after": None, "after_by": [], "not_later_than": None, "not_later_than_by": []}


def confirmed(names: str) -> list[Confirmed]:
    return [Confirmed(name, ord(name), name) for name in names]


@pytest.mark.parametrize(
    ("needed", "names", "last", "vouching"),
    [(1, "a", "a", "a"), (1, "cab", "a", "a"), (2, "ab", "b", "ab"), (2, "cba", "b", "ab"), (3, "bca", "c", "abc")],
)
def test_the_bound_is_the_kth_smallest_time(needed: int, names: str, last: str, vouching: str) -> None:
    assert bound_of(needed, confirmed(names)) == (ord(last), list(vouching))


def test_a_certificate_counts_once_with_its_smallest_time() -> None:
    stamps = [Confirmed("a1", 3, b"one"), Confirmed("a2", 1, b"one"), Confirmed("b", 2, b"two")]
    assert bound_of(2, stamps) == (2, ["a2", "b"])


def test_times_that_contradict_each_other_are_both_named() -> None:
    with pytest.raises(Malformed) as failed:
        assert_not_before("the token of tsa", 1_000_000, YoungestLeaf("leaf 4", STATED))
    assert "states 1970-01-01T00:00:01.000000Z, but leaf 4 under its tree" in str(failed.value)
    assert STATED in str(failed.value)
    assert_not_before("the token of tsa", 1_795_382_232_104_090, YoungestLeaf("leaf 4", STATED))


def test_without_a_trust_file_everything_is_the_operators_word() -> None:
    found = examine_bundle(BUNDLE.read_text(), None)
    assert found.sequenced == {"stated": STATED, **NOBODY}
    assert (found.anchoring, found.pins) == ("NOT_ANCHORED", [])
    assert f"recorded at: {STATED}, the operator's word" in found.lines()
    assert "and not later than: - (nobody vouches for this end: it is the operator's word)" in found.lines()


@pytest.fixture
def believed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Believes each time-stamp, whether or not the library that verifies them is installed."""
    certificate = SimpleNamespace(raw=b"the certificate of the authority")
    stamp = Stamp(micros(UNTIL), cast(Any, (certificate,)), b"")
    monkeypatch.setattr(attested, "verify_stamp", lambda *_: stamp)


@pytest.mark.usefixtures("believed")
def test_an_anchor_vouches_for_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([str(BUNDLE), "--trust", str(TRUST), "--output", "json"]) == 0
    said = json.loads(capsys.readouterr().out)
    by = [{"kind": "anchor", "name": "authority"}]
    assert said["sequenced"] == {"stated": STATED, **NOBODY, "not_later_than": UNTIL, "not_later_than_by": by}
    assert (said["anchoring"], len(said["pins"])) == ("ANCHORED", 2)
    assert cli.main(["bundle", str(BUNDLE), str(TRUST)]) == 0
    assert f"and not later than: {UNTIL} (anchor authority)" in capsys.readouterr().out


def test_a_time_stamp_that_cannot_be_read_vouches_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cryptography", None)
    verify_stamp.cache_clear()
    found = examine_bundle(BUNDLE.read_text(), TRUST.read_text())
    assert {one.check: one.outcome for one in found.results}["external_anchor"] == "SKIP"
    assert (found.anchoring, found.sequenced["not_later_than"]) == ("PENDING", None)


@pytest.mark.parametrize("text", ["{}", "[]", "null", '{"record": {"core": {"id": 1}}}', "no JSON"])
def test_of_what_is_no_bundle_nothing_is_known(text: str) -> None:
    found = examine_bundle(text, TRUST.read_text())
    assert {one.outcome for one in found.results} == {"FAIL"}
    assert (found.answer_log_id, found.anchoring, found.checkpoint, found.pins) == ("", "NOT_ANCHORED", None, [])


@pytest.mark.usefixtures("believed")
def test_names_of_strangers_do_not_act_on_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bundle = json.loads(BUNDLE.read_text())
    trust = json.loads(TRUST.read_text())
    trust["tsa_roots"] = [one["certificate_pem"] for one in trust.pop("anchors") if one["certificate_pem"]]
    for anchor in bundle["anchors"]:
        anchor["anchor_id"] = "\x1b[2Jtsa"
    (tmp_path / "bundle.json").write_text(json.dumps(bundle))
    (tmp_path / "trust.json").write_text(json.dumps(trust))
    cli.main([str(tmp_path / "bundle.json"), "--trust", str(tmp_path / "trust.json")])
    shown = capsys.readouterr().out
    assert "\x1b" not in shown
    assert f"and not later than: {UNTIL} (anchor [2Jtsa" in shown
