"""The README is executed, block by block."""

from __future__ import annotations

import re
import shutil
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from model_server import Model, completion

from answer_evidence import AnswerEvidence
from answer_evidence.verify.cli import main

PACKAGE = Path(__file__).resolve().parents[1]
FROZEN = PACKAGE.parents[1] / "e2e/frozen/v1"
README = (PACKAGE / "README.md").read_text()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_every_block_of_python_runs(host: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(FROZEN / "bundles/corrected.json", tmp_path / "bundle.json")
    shutil.copy(FROZEN / "trust/trust.json", tmp_path / "trust.json")
    shutil.copytree(FROZEN / "tlog", tmp_path / "log")
    monkeypatch.chdir(tmp_path)
    model = Model()
    model.replies = [completion({"content": "Yes, from nine."}) for _ in range(2)]
    names = {"ANSWER_EVIDENCE_URL": host["url"], "ANSWER_EVIDENCE_TOKEN": host["token"]}
    for name, value in {**names, "OPENAI_API_KEY": "k", "OPENAI_BASE_URL": f"{model.url}/v1"}.items():
        monkeypatch.setenv(name, value)
    blocks = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    assert len(blocks) == 9
    namespace: dict[str, Any] = {}
    for block in blocks:
        exec(block, namespace)
    evidence: AnswerEvidence = namespace["evidence"]
    assert evidence.close() == 0
    model.close()
    with AnswerEvidence("support-bot", **host) as other:
        (found,) = other.list(idempotency_key="msg-123")
        record = other.get(found["id"])
        newest = [other.get(one["id"]) for one in islice(other.list(), 5)]
    assert (record["question"]["text"], record["answer"]["text"]) == ("Open on Sunday?", "Yes, from nine.")
    assert record["source_refs"][0]["source_name"] == "hours.md"
    assert {one["answer"]["text"] for one in newest} == {"text text text", "Two years.", "Yes, from nine."}


def test_every_command_is_understood() -> None:
    commands = re.findall(r"^answer-evidence-verify (.*)$", README, re.MULTILINE)
    assert len(commands) == 6
    for command in commands:
        # Files and hosts of the README do not exist: 2 or 3, and not the 2 of argparse, which raises SystemExit.
        assert main(command.split()) in (2, 3)
