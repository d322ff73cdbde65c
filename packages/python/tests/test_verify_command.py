"""What `answer-evidence-verify` does with files that nothing can be verified with."""

import json
from pathlib import Path

import pytest

from answer_evidence.verify import cli

FROZEN = Path(__file__).resolve().parents[3] / "e2e/frozen/v1"
BUNDLE = FROZEN / "bundles/corrected.json"
TRUST = FROZEN / "trust/trust.json"
LOG = FROZEN / "tlog"


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


def test_a_wrong_command_is_2() -> None:
    with pytest.raises(SystemExit) as ended:
        run("verify", BUNDLE)
    assert ended.value.code == 2
