"""Logs that sign by Ed25519 and ML-DSA-44, with the library that verifies the second, and without."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from answer_evidence.verify import ml_dsa, verify_bundle, verify_receipt
from answer_evidence.verify.cli import main
from answer_evidence.verify.notes import is_ed25519

FROZEN = Path(__file__).resolve().parents[3] / "e2e/frozen/v1-additions"
TRUST = FROZEN / "hybrid-trust.json"
BUNDLE = (FROZEN / "hybrid.json").read_text()
LOG_LINE = max((line for line in json.loads(BUNDLE)["checkpoint"].split("\n") if "evidence.example" in line), key=len)


def outcome(bundle: str, check: str = "checkpoint_signature") -> tuple[str, str]:
    results = verify_bundle(bundle, TRUST.read_text())
    return next((result.outcome, result.reason) for result in results if result.check == check)


def vkeys() -> tuple[str, str]:
    ed25519, other = (key["vkey"] for key in json.loads(TRUST.read_text())["logs"][0]["keys"])
    return ed25519, other


@pytest.fixture(params=[True, False], ids=["with the library", "without it"])
def installed(request: Any, monkeypatch: pytest.MonkeyPatch) -> bool:
    if request.param and not ml_dsa.is_installed():
        pytest.skip("the library is not installed")
    monkeypatch.setattr(ml_dsa, "is_installed", lambda: request.param)
    return bool(request.param)


def test_what_is_signed_by_both_keys_passes_or_says_what_it_needs(installed: bool) -> None:
    found, reason = outcome(BUNDLE)
    assert found == ("PASS" if installed else "SKIP")
    assert installed or "pip install 'answer-evidence[post-quantum]'" in reason


def test_a_line_that_is_missing_fails_with_and_without(installed: bool) -> None:
    bundle = json.loads(BUNDLE)
    bundle["checkpoint"] = bundle["checkpoint"].replace(f"{LOG_LINE}\n", "")
    found, reason = outcome(json.dumps(bundle))
    assert (found, reason) == ("FAIL", "the ML-DSA-44 key of this size has not signed")


def test_a_line_that_is_wrong_fails_where_it_can_be_verified(installed: bool) -> None:
    bundle = json.loads(BUNDLE)
    middle = len(LOG_LINE) // 2
    wrong = LOG_LINE[:middle] + ("B" if LOG_LINE[middle] == "A" else "A") + LOG_LINE[middle + 1 :]
    bundle["checkpoint"] = bundle["checkpoint"].replace(LOG_LINE, wrong)
    found, _ = outcome(json.dumps(bundle))
    assert found == ("FAIL" if installed else "SKIP")
    bundle["checkpoint"] = bundle["checkpoint"].replace(wrong, f"{LOG_LINE[:-8]}AAA=")
    assert outcome(json.dumps(bundle))[0] == "FAIL"


def test_a_receipt_needs_the_ed25519_keys_alone(installed: bool, capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(FROZEN / "hybrid.tlog-proof"), str(FROZEN / "hybrid.entry")]
    assert main(["verify", *files, "--trust", str(TRUST), "--output", "json"]) == 0
    assert '"SKIP"' not in capsys.readouterr().out


def test_a_note_that_only_ml_dsa_44_signed_is_never_believed_unverified(installed: bool) -> None:
    ed25519, other = vkeys()
    assert (is_ed25519(ed25519), is_ed25519(other)) == (True, False)
    receipt = json.loads(BUNDLE)["record"]["proof"]
    entry = json.loads(BUNDLE)["record"]["entry"]
    results = {result.check: result.outcome for result in verify_receipt(receipt, entry, other)}
    assert results["checkpoint_signature"] == ("PASS" if installed else "SKIP")


def test_a_monitor_does_not_start_without_what_it_needs(installed: bool, tmp_path: Path) -> None:
    state = str(tmp_path / "state.json")
    code = main(["monitor", str(tmp_path / "nowhere"), "--trust", str(TRUST), "--state", state, "--once"])
    assert code == (0 if installed else 2)
