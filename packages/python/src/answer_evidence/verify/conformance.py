"""
Judges the cases of the conformance suite (conformance/README.md, "The protocol"): `answer-evidence-verify conformance`.

Each line that is read is a case: its kind, the texts of its files, and where there are any, keys and the tiles of a
log. For each, a line is printed: the outcome of every check, or that the files are refused.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from .canonical_json import Malformed
from .checks import verify_bundle, verify_receipt, verify_reconciliation
from .outcomes import Result
from .tiles import Read


def judge_lines(lines: Iterable[bytes]) -> Iterator[str]:
    """The verdict on each line, as JSON."""
    for line in lines:
        case = json.loads(line)
        log = _reader_of(case["log"]) if "log" in case else None
        try:
            results = JUDGES[case["kind"]](case["files"], log, case.get("vkeys", []))
        except Malformed:
            yield json.dumps({"refused": True})
        else:
            yield json.dumps({"outcomes": {name: outcome for name, outcome, _ in results}})


def _reader_of(tiles: dict[str, str]) -> Read:
    return lambda path: base64.b64decode(tiles[path]) if path in tiles else None


def _bundle(files: dict[str, str], log: Read | None, _: list[str]) -> list[Result]:
    return verify_bundle(files["bundle"], files["trust"], log=log, receipt=files.get("receipt"))


def _run(files: dict[str, str], log: Read | None, _: list[str]) -> list[Result]:
    return verify_reconciliation(files["proof"], files["references"], files["records"], files["trust"], log=log)


def _receipt(files: dict[str, str], _: Read | None, vkeys: list[str]) -> list[Result]:
    return verify_receipt(files["receipt"], files["entry"], vkeys)


JUDGES: dict[str, Callable[[dict[str, Any], Read | None, list[str]], list[Result]]] = {
    "bundle": _bundle,
    "run": _run,
    "receipt": _receipt,
}
