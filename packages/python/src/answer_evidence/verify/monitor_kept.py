"""The receipts that a folder keeps, for the monitor: of receipt files, and of every proof in a JSON file."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from .canonical_json import Json, Malformed, read_json
from .kept_responses import UNSENT, find_other_core, find_other_object
from .notes import read_checkpoint, read_note, read_receipt

REQUEST = ".request.json"


class KeptLeaf(NamedTuple):
    """A leaf that somebody keeps a receipt of. `fault`: why what was kept with it is not what its entry is about."""

    name: str
    receipt: str
    entry: str | None
    fault: str | None
    digest: str
    leaf_index: int
    origin: str
    size: int
    root: bytes


def read_kept(folder: str, read_text: Callable[[str], str]) -> tuple[list[KeptLeaf], list[tuple[str, str]]]:
    """The leaves, and what is wrong with the files that hold none, as pairs of a name and a reason."""
    leaves: list[KeptLeaf] = []
    faults: list[tuple[str, str]] = []
    for name, receipt, entry, fault in _find(folder, read_text):
        try:
            if not receipt:
                raise Malformed("it has no receipt that can be read")
            index, _, note = read_receipt(receipt)
            origin, size, root = read_checkpoint(read_note(note)[0])
        except Malformed as reason:
            faults.append((name, str(reason)))
            continue
        digest = hashlib.sha256(f"{receipt}\n{entry or ''}".encode()).hexdigest()
        leaves.append(KeptLeaf(name, receipt, entry, fault, digest, index, origin, size, root))
    return leaves, faults


Found = tuple[str, str, "str | None", "str | None"]


def _find(folder: str, read_text: Callable[[str], str]) -> Iterator[Found]:
    names = sorted(os.listdir(folder))
    for name in names:
        path = os.path.join(folder, name)
        if name.endswith(".tlog-proof"):
            beside = name[: -len(".tlog-proof")] + ".entry"
            entry = None
            if beside in names:
                entry = re.sub(r"\r?\n\Z", "", read_text(os.path.join(folder, beside)))
            yield name, re.sub(r"\n\n\Z", "\n", read_text(path)), entry, None
        elif name.endswith(".json") and not name.endswith(REQUEST):
            request = name[: -len(".json")] + REQUEST
            sent = _read(os.path.join(folder, request), read_text) if request in names else UNSENT
            found = list(_collect(_read(path, read_text), name, "", sent))
            # A bundle that was damaged must be reported, so it counts as a receipt that holds nothing.
            yield from found or [(name, "", None, None)]


def _read(path: str, read_text: Callable[[str], str]) -> Json:
    """The value of a file; a damaged one is null, which no response and no request is."""
    try:
        return read_json(read_text(path))
    except Malformed:
        return None


def _collect(value: Json, name: str, place: str, request: Json = UNSENT) -> Iterator[Found]:
    """Each object with the proof of a leaf: `{entry, proof}` in bundles, `{receipt, ledger: {entry}}` in responses."""
    if isinstance(value, list):
        for n, item in enumerate(value):
            yield from _collect(item, name, f"{place}/{n}")
    if not isinstance(value, dict):
        return
    named = f"{name} {place}" if place else name
    entry, ledger = value.get("entry"), value.get("ledger")
    if isinstance(entry, str) and isinstance(value.get("proof"), str):
        yield named, value["proof"], entry, find_other_core(value, entry)
    text = ledger.get("entry") if isinstance(ledger, dict) else None
    if isinstance(value.get("receipt"), str) and isinstance(text, str):
        yield named, value["receipt"], text, find_other_object(value, text, request)
    for key, member in value.items():
        yield from _collect(member, name, f"{place}/{key}")
