"""Times of outside parties against the leaves (docs/formats/trust.md, "Times of outside parties")."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from .canonical_json import Json, Malformed
from .cores import micros, read_entry
from .form import format_time
from .notes import read_receipt
from .tree import leaf_hash, root_of

TOLERANCE_MICROS = 300_000_000


def proven_leaves(leaves: Iterable[Json], size: int, root: bytes) -> dict[int, Json]:
    """The entries, by index, of the leaves whose proofs lead to the root; others say nothing about its tree."""
    return {leaf["leaf_index"]: read_entry(leaf["entry"]) for leaf in leaves if _is_under(leaf, size, root)}


def _is_under(leaf: Json, size: int, root: bytes) -> bool:
    try:
        read_entry(leaf["entry"])
        _, hashes, _ = read_receipt(leaf["proof"])
        return leaf["leaf_index"] < size and root_of(leaf["leaf_index"], size, leaf_hash(leaf["entry"]), hashes) == root
    except Malformed:
        return False


class YoungestLeaf(NamedTuple):
    """The youngest leaf that is known under a tree: what messages call it, and its time."""

    name: str
    at: str


def assert_not_before(what: str, stated: int, youngest: YoungestLeaf | None) -> None:
    """Raises Malformed, with both times, for one in microseconds that is too far before a leaf."""
    if youngest is None or stated >= micros(youngest.at) - TOLERANCE_MICROS:
        return
    said = f"but {youngest.name} under its tree has the later time {youngest.at}"
    raise Malformed(f"{what} states {format_time(stated)}, {said}")
