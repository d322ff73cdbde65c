"""What `answer-evidence-verify` does with files that nothing can be verified with."""

import json
from pathlib import Path

import pytest

from answer_evidence.verify import cli

FROZEN = Path(__file__).resolve().parents[3] / "e2e/frozen/v1"
BUNDLE = FROZEN / "bundles/corrected.json"
TRUST = FROZEN / "trust/trust.json"
LOG = FROZEN / "tlog"
RECEIPT = FROZEN / "receipts/plain.tlog-proof"


def run(*arguments: object) -> int:
    return cli.main([str(argument) for argument in arguments])


def test_verifies_a_bundle_with_its_log(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("bundle", BUNDLE, TRUST, "--log", LOG, "--output", "json") == 0
    outcomes = {result["check"]: result["outcome"] for result in json.loads(capsys.readouterr().out)}
    assert outcomes["answer_commitment"] == outcomes["event_completeness"] == outcomes["checkpoint_signature"] == "PASS"


def test_finds_an_event_that_was_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bundle = json.loads(BUNDLE.read_text())
    bundle["events"], bundle["status"] = [], "recorded"
    (tmp_path / "bundle.json").write_text(json.dumps(bundle))
    assert run("bundle", tmp_path / "bundle.json", TRUST) == 0
    assert run("bundle", tmp_path / "bundle.json", TRUST, "--log", LOG) == 1
    assert "FAIL  event_completeness" in capsys.readouterr().out


def test_refuses_a_file_that_is_not_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "page.html").write_text("<html>secret</html>")
    assert run("bundle", tmp_path / "page.html", TRUST) == 2
    told = capsys.readouterr().err
    assert "page.html is no bundle: not JSON" in told
    assert "secret" not in told


def test_refuses_a_bundle_of_150_mb_before_it_reads_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with (tmp_path / "large.json").open("wb") as file:
        file.truncate(150_000_000)
    assert run("bundle", tmp_path / "large.json", TRUST) == 2
    assert "nothing above 128 MiB is read" in capsys.readouterr().err


def test_says_that_a_trust_file_is_of_another_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trust = json.loads(TRUST.read_text())
    for log in trust["logs"]:
        log["origin"] = "evidence.example/other"
    (tmp_path / "trust.json").write_text(json.dumps(trust))
    assert run("bundle", BUNDLE, tmp_path / "trust.json") == 1
    shown = capsys.readouterr()
    assert "FAIL  checkpoint_signature: the trust file does not name this log" in shown.out
    assert "is the trust file of another workspace?" in shown.err


def test_tells_a_log_that_is_not_there_from_evidence_that_fails(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("bundle", BUNDLE, TRUST, "--log", "http://127.0.0.1:9/tlog/demo") == 3
    assert run("bundle", BUNDLE, TRUST, "--log", "/no/such/folder") == 3
    assert "did not respond" in capsys.readouterr().err


def test_a_log_that_cannot_be_read_hides_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    for place, code in (("http://127.0.0.1:9/tlog/demo", 3), ("/no/such/folder", 2)):
        assert run(BUNDLE, "--trust", TRUST, "--tlog", place) == code
        shown = capsys.readouterr()
        assert "SKIP  event_completeness" in shown.out
        assert ("did not respond" if code == 3 else "is not a folder") in shown.err


def test_a_folder_may_have_the_name_of_a_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "log").symlink_to(LOG)
    monkeypatch.chdir(tmp_path)
    assert run("log", "--trust", TRUST) == run("log") == run(BUNDLE, "log", "--trust", TRUST) == 0
    (vkey,) = {key["vkey"] for log in json.loads(TRUST.read_text())["logs"] for key in log["keys"][-1:]}
    assert run("log", LOG, vkey) in (0, 1)
    assert "hash_tiles" in capsys.readouterr().out


def test_a_wrong_command_is_2() -> None:
    with pytest.raises(SystemExit) as ended:
        run("receipt", BUNDLE)
    assert ended.value.code == 2


def part(name: str, value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value).replace("<", "\\u003c")
    return f'<script type="application/json" id="{name}">{text}</script>'


def listed(*names: object) -> str:
    origin = json.loads(BUNDLE.read_text())["origin"]
    manifest = {"format": "answer-evidence-pack/v1", "made_at": "2019-01-01T00:00:00.000000Z", "origin": origin}
    return part("pack", {**manifest, "bundles": list(names)})


def page(*parts: str) -> str:
    return "<!doctype html>" + "\n".join([*parts, "<script>run()</script>"])


ONE, TWO = part("bundle-1", BUNDLE.read_text()), part("bundle-2", BUNDLE.read_text())
KEYS = part("trust", TRUST.read_text())
BOTH = listed("bundle-1", "bundle-2")


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        (page(BOTH, KEYS, ONE, TWO), []),
        (page(BOTH, KEYS, ONE), ["bundle-2"]),
        (page(BOTH, KEYS, ONE, TWO, TWO), ["bundle-2"]),
        (page(BOTH, KEYS, ONE, f"<!-- {TWO} -->"), ["bundle-2"]),
        (page(BOTH, KEYS, ONE, TWO.replace('"', "'")), ["bundle-2"]),
        (page(BOTH, KEYS, ONE, TWO.replace("script", "SCRIPT")), ["bundle-2"]),
        (page(BOTH, KEYS, ONE, TWO.replace(" id", " a='>' id")), ["bundle-2"]),
        (page(BOTH, KEYS, TWO, ONE), ["bundle-2"]),
        (page(BOTH, KEYS, ONE, part("bundle-2", "{")), ["bundle-2"]),
        (page(BOTH, KEYS, ONE, part("bundle-2", "[" * 100_000)), ["bundle-2"]),
        (page(listed("bundle-1", "bundle-x"), KEYS, ONE, part("bundle-x", "{}")), ["place 2"]),
        (page(listed("bundle-1"), KEYS, ONE, TWO), ["bundle-2"]),
        (page(listed("bundle-1"), KEYS, ONE, part("Bundle-2", "{}")), ["Bundle-2"]),
        (page(listed("bundle-1", "bundle-3"), KEYS, ONE, part("bundle-3", "{}")), ["bundle-3"]),
    ],
)
def test_a_pack_loses_no_bundle(
    text: str, faults: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pack.html").write_text(text)
    code = run(tmp_path / "pack.html", "--trust", TRUST, "--output", "json")
    shown = {Path(one["file"]).name: one for one in json.loads(capsys.readouterr().out)}
    assert code == (1 if faults else 0)
    assert [name for name, one in shown.items() if "fault" in one] == [f"pack.html {name}" for name in faults]
    if "bundle-1" not in faults:
        outcomes = {check["check"]: check["outcome"] for check in shown["pack.html bundle-1"]["checks"]}
        assert outcomes["merkle_inclusion"] == "PASS"
    whole = {check["check"]: check["outcome"] for check in shown["pack.html"]["checks"]}
    assert whole["pack_made_at"] == "SKIP"


def test_a_pack_of_another_time_than_the_log_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "pack.html").write_text(page(BOTH, KEYS, ONE, TWO))
    assert run(tmp_path / "pack.html", LOG, "--trust", TRUST) == 1
    assert "FAIL  pack_made_at: the log has no entry export_made within 300 seconds" in capsys.readouterr().out


def test_every_kind_of_file_is_verified_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(RECEIPT, "--trust", TRUST) == 0
    told = capsys.readouterr().out
    assert "PASS  checkpoint_signature" in told
    assert "SKIP  leaf_entry: a receipt is of an entry" in told
    entry = json.loads((FROZEN / "bundles/plain.json").read_text())["record"]["entry"]
    (tmp_path / "entry").write_text(entry)
    assert run(RECEIPT, tmp_path / "entry", "--trust", TRUST) == 0
    assert "SKIP" not in capsys.readouterr().out
    assert run(RECEIPT, LOG, "--trust", TRUST) == 0
    assert "SKIP" not in capsys.readouterr().out
    assert run(LOG, "--trust", TRUST) == 0
    assert "PASS  hash_tiles" in capsys.readouterr().out
    run_ = next((FROZEN / "runs").glob("**/proof.json"), None) or next((FROZEN / "runs").glob("*.json"))
    assert run(run_, "--trust", TRUST) == 0
    assert "SKIP  references: it needs your own list" in capsys.readouterr().out
    assert run(BUNDLE) == 0
    shown = capsys.readouterr()
    assert "SKIP  checkpoint_signature: who signed this was not verified" in shown.out
    assert "No trust file was given" in shown.err
    assert run(BUNDLE, "--strict") == 1


def test_says_what_a_file_is_that_it_does_not_take(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "page.html").write_text("<html>")
    assert run(tmp_path / "page.html", "--trust", TRUST) == 1
    assert "it is a page without the parts of an evidence pack" in capsys.readouterr().err
    assert run(BUNDLE, TRUST) == 2
    assert "is a trust file, which says whom you trust: name it by --trust" in capsys.readouterr().err
    assert run(TRUST, "--trust", BUNDLE) == 2
    assert "swapped" in capsys.readouterr().err
    assert run(BUNDLE, "--trust", TRUST, "--require", "anchord") == 2


def test_takes_the_arguments_of_the_program_for_node(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [BUNDLE, "--tlog", LOG, "--trust", TRUST]
    for words in (arguments, ["verify", *arguments], ["-o", "json", "verify", *arguments], ["--trust", TRUST, BUNDLE]):
        assert run(*words) == 0
    bundle = json.loads((FROZEN / "bundles/plain.json").read_text())
    (tmp_path / "entry").write_text(bundle["record"]["entry"])
    keys = [key["vkey"] for log in json.loads(TRUST.read_text())["logs"] for key in log["keys"]]
    codes = [run("receipt", "verify", RECEIPT, "--entry", tmp_path / "entry", "--vkey", key) for key in keys]
    assert 0 in codes
    capsys.readouterr()


def test_shows_that_the_policy_demands_less_than_the_trust_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trust = json.loads(TRUST.read_text())
    pin = {"anchor_id": "gone", "type": "object-lock", "required": True, "certificate_pem": None}
    (tmp_path / "trust.json").write_text(json.dumps({**trust, "anchors": [pin], "anchors_required": 2}))
    assert run(BUNDLE, "--trust", tmp_path / "trust.json") == 0
    told = capsys.readouterr().out
    assert "NOTE  the policy that the evidence shows demands less than your trust file: 1 anchor instead of 2" in told
    assert "the anchor gone is required no longer" in told
    assert run(BUNDLE, "--trust", TRUST, "--tlog", LOG) == 0
    assert ("NOTE  the log has announced a change of its trust policy, at leaf" in capsys.readouterr().out) == (
        '"trust_policy_changed"' in _entries_below(BUNDLE)
    )


def _entries_below(bundle: Path) -> str:
    size = int(json.loads(bundle.read_text())["checkpoint"].split("\n")[1])
    content = max((LOG / "tile/entries/000.p").iterdir(), key=lambda tile: int(tile.name)).read_bytes()
    entries = []
    for _ in range(size):
        length = int.from_bytes(content[:2], "big")
        entries.append(content[2 : 2 + length].decode())
        content = content[2 + length :]
    return "".join(entries)
