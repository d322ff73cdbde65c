"""Entries, cores and times (docs/formats/log.md, "Entries and leaves", and docs/formats/records.md, "Cores")."""

from __future__ import annotations

import functools
import hashlib

from .canonical_json import Json, Malformed, canonical, read_json
from .entry_kinds import ENTRY
from .form import assert_form, micros_of
from .outcomes import require


def micros(time: str) -> int:
    """Microseconds since 1970. Raises Malformed for a time that does not exist."""
    count = micros_of(time)
    if count is None:
        raise Malformed("a time does not exist, or is too far from 1970")
    return count


def core_hash(kind: str, core: Json) -> str:
    return "sha256:" + hashlib.sha256((f"answer-evidence/{kind}/v1\n" + canonical(core)).encode()).hexdigest()


def item_hash(disclosed: Json) -> str:
    salted = b"answer-evidence/item/v1\n" + bytes.fromhex(disclosed["salt"])
    return "sha256:" + hashlib.sha256(salted + canonical(disclosed["item"]).encode()).hexdigest()


@functools.lru_cache(maxsize=1024)
def read_entry(text: str) -> Json:
    """Reads the canonical text of an entry, which several checks ask for. The value is shared: nobody changes it."""
    entry = read_json(text)
    assert_form(entry, ENTRY, "an entry")
    require(entry["v"] == 1 and canonical(entry) == text, "an entry is not in canonical form")
    micros(entry["at"])
    return entry


def keys_at(keys: Json, size: int) -> list[tuple[int, str]]:
    """Pairs of first size and vkey of the keys that are the log's at a size."""
    return [
        (key["first_tree_size"], key["vkey"])
        for key in keys
        if key["first_tree_size"] <= size and (key["last_tree_size"] is None or size <= key["last_tree_size"])
    ]
