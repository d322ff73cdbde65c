"""Times of outside parties against the leaves (docs/formats/trust.md, "Times of outside parties")."""

from __future__ import annotations

from collections.abc import Iterable

from .canonical_json import Json, Malformed
from .cores import micros, read_entry
from .notes import read_receipt
from .outcomes import require
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


def assert_not_before(what: str, stated: int, youngest: str | None) -> None:
    """Raises Malformed for a time, in microseconds, that is further before a leaf than clocks may differ."""
    if youngest is None:
        return
    held = stated >= micros(youngest) - TOLERANCE_MICROS
    require(held, f"{what} states a time of {micros(youngest) - stated} microseconds before a leaf of {youngest}")
