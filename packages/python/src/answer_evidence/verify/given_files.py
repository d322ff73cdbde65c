"""Tells by their content what files are that somebody gave to be verified."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import NamedTuple

from .canonical_json import Json, Malformed, read_json
from .notes import read_checkpoint, read_note
from .packs import KeptEntry, Pack, read_pack

FORMATS = {
    "answer-evidence-bundle/v1": "bundle",
    "answer-evidence-bundle/v2": "bundle",
    "answer-evidence-reconciliation/v1": "run",
    "answer-evidence-trust/v1": "trust",
}
FORMAT = re.compile(r'"format"\s*:\s*"([^"]{1,64})"')
KNOWN = (
    "a proof bundle, an evidence pack, a receipt (.tlog-proof) with its entry, a checkpoint, or the proof of a"
    " reconciliation"
)


class Given(NamedTuple):
    """What was given, by its kind, each as a pair of a name and what it is. `others` have a reason instead."""

    bundles: list[tuple[str, str]]
    packs: list[tuple[str, bytes, Pack]]
    runs: list[tuple[str, str]]
    receipts: list[tuple[str, str]]
    checkpoints: list[tuple[str, str]]
    entries: list[tuple[str, str]]
    responses: list[tuple[str, KeptEntry]]
    logs: list[str]
    others: list[tuple[str, str]]


def sort_files(paths: list[str], read_bytes: Callable[[str], bytes]) -> Given:
    """Sorts files. Raises ValueError for a trust file: which keys are believed is said by no file that was sent."""
    given = Given([], [], [], [], [], [], [], [], [])
    for path in paths:
        if path.startswith(("http://", "https://")) or os.path.isdir(path):
            given.logs.append(path)
            continue
        content = read_bytes(path)
        kind, text, value = _kind_of(content)
        if kind == "pack":
            given.packs.append((path, content, value))
        elif kind in ("bundle", "run"):
            (given.bundles if kind == "bundle" else given.runs).append((path, text))
        elif kind == "receipt":
            given.receipts.append((path, text[:-1] if text.endswith("\n\n") else text))
        elif kind == "response":
            given.responses.append((path, value))
        elif kind == "checkpoint":
            given.checkpoints.append((path, text))
        elif kind == "entry":
            given.entries.append((path, re.sub(r"\r?\n\Z", "", text)))
        elif kind == "trust":
            raise ValueError(f"{path} is a trust file, which says whom you trust: name it by --trust, if you do")
        else:
            given.others.append((path, value))
    return given


def is_evidence(content: bytes) -> bool:
    """Whether a file is one that is verified, and therefore no trust file."""
    return _kind_of(content)[0] in ("bundle", "pack")


def _kind_of(content: bytes) -> tuple[str, str, Json]:
    """The kind, the text, and what was read on the way: for another file, the reason."""
    try:
        text = content.decode("utf-8-sig" if content.startswith(b"\xef\xbb\xbf{") else "utf-8")
    except UnicodeDecodeError:
        return "other", "", "it is not UTF-8 text"
    if text.startswith("c2sp.org/tlog-proof@"):
        return "receipt", text, None
    start = text.lstrip("\ufeff \t\r\n")[:1]
    if start not in ("{", "["):
        pack = read_pack(text)
        if pack is not None:
            return "pack", text, pack
        if _is_checkpoint(text):
            return "checkpoint", text, None
        page = "it is a page without the parts of an evidence pack"
        return "other", text, page if start == "<" else f"it is neither {KNOWN}"
    try:
        value = read_json(text)
    except Malformed:
        # Damaged JSON still says what it was meant to be, and then its checks say what is wrong with it.
        found = FORMAT.search(text)
        kind = FORMATS.get(found[1]) if found else None
        return kind or "other", text, "it is damaged JSON that does not say what it is"
    return _kind_of_json(text, value)


def _is_checkpoint(text: str) -> bool:
    try:
        read_checkpoint(read_note(text)[0])
        return True
    except Malformed:
        return False


def _kind_of_json(text: str, value: Json) -> tuple[str, str, Json]:
    if isinstance(value, dict):
        if isinstance(value.get("format"), str):
            unknown = f"its format is not known to this verifier, which reads {KNOWN}"
            return FORMATS.get(value["format"], "other"), text, unknown
        receipt, ledger = value.get("receipt"), value.get("ledger")
        entry = ledger.get("entry") if isinstance(ledger, dict) else None
        if isinstance(receipt, str) and isinstance(entry, str):
            return "response", text, KeptEntry(entry, value.get("core"), receipt)
        if {"type", "subject", "seq", "at", "hash"} <= value.keys():
            return "entry", text, None
    return "other", text, f"it is neither {KNOWN}"
