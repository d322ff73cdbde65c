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
from .given_files import sort_files
from .outcomes import Result
from .tiles import Read
from .verify_files import FilesVerifier
from .windows import BundleVerification


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
    earlier = [(files["earlier_proof"], files["earlier_references"])] if "earlier_proof" in files else []
    sets = (files["references"], files["records"])
    return verify_reconciliation(files["proof"], *sets, files["trust"], log=log, earlier=earlier)


def _files(files: dict[str, str], log: Read | None, _: list[str]) -> list[Result]:
    """Files that were given together: each check by the name of its file, and of bundles the window."""
    given = sort_files([name for name in files if name != "trust"], lambda name: files[name].encode())
    place = None if log is None else "log"
    verified = FilesVerifier(given, files["trust"], place, lambda _: log or _read_nothing).verify_all()
    results: list[Result] = []
    for one in verified:
        if one.fault is not None:
            results.append(Result(f"{one.file} readable", "FAIL", one.fault))
        results += [result._replace(check=f"{one.file} {result.check}") for result in one.results]
        if isinstance(one.bundle, BundleVerification):
            results += [Result(f"{one.file} {end}", _end_of(one.bundle.sequenced, end), "") for end in ENDS]
    return results


ENDS = ("after", "not_later_than")


def _end_of(window: dict[str, Any], end: str) -> str:
    """The end of a window as a verdict has it: the time, and who vouches for it."""
    by = [f"{one['kind']} {one['name']}" for one in window[f"{end}_by"]]
    return ", ".join([window[end] or "none", *by])


def _read_nothing(_: str) -> bytes | None:
    """A log of which nothing is there."""
    return None


def _receipt(files: dict[str, str], _: Read | None, vkeys: list[str]) -> list[Result]:
    return verify_receipt(files["receipt"], files["entry"], vkeys)


JUDGES: dict[str, Callable[[dict[str, Any], Read | None, list[str]], list[Result]]] = {
    "bundle": _bundle,
    "run": _run,
    "receipt": _receipt,
    "files": _files,
}
