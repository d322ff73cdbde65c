"""The Merkle tree of RFC 9162 (docs/formats/log.md, "The Merkle tree")."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from .canonical_json import Malformed

EMPTY_ROOT = hashlib.sha256(b"").digest()


def leaf_hash(entry: str | bytes) -> bytes:
    return hashlib.sha256(b"\0" + (entry.encode() if isinstance(entry, str) else entry)).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\1" + left + right).digest()


def root_of(index: int, size: int, leaf: bytes, proof: list[bytes]) -> bytes:
    """The root that an inclusion proof leads to. Raises Malformed."""
    if not 0 <= index < size:
        raise Malformed("the leaf is outside of the tree")
    fn, sn, root = index, size - 1, leaf
    for hash_ in proof:
        if sn == 0:
            raise Malformed("the proof is too long")
        if fn % 2 == 1 or fn == sn:
            root = node_hash(hash_, root)
            while fn % 2 == 0 and fn != 0:
                fn, sn = fn // 2, sn // 2
        else:
            root = node_hash(root, hash_)
        fn, sn = fn // 2, sn // 2
    if sn != 0:
        raise Malformed("the proof is too short")
    return root


def assert_consistent(first: int, second: int, first_root: bytes, second_root: bytes, proof: list[bytes]) -> None:
    """RFC 9162, section 2.1.4.2: the tree of the first size is a prefix of that of the second. Raises Malformed."""
    if not 0 < first <= second:
        raise Malformed("the sizes of the trees are wrong")
    if first == second:
        if proof or first_root != second_root:
            raise Malformed("one size, and two trees")
        return
    path = [first_root, *proof] if first & (first - 1) == 0 else list(proof)
    if not path:
        raise Malformed("the proof is empty")
    fn, sn = first - 1, second - 1
    while fn % 2 == 1:
        fn, sn = fn // 2, sn // 2
    fr = sr = path[0]
    for hash_ in path[1:]:
        if sn == 0:
            raise Malformed("the proof is too long")
        if fn % 2 == 1 or fn == sn:
            fr, sr = node_hash(hash_, fr), node_hash(hash_, sr)
            while fn % 2 == 0 and fn != 0:
                fn, sn = fn // 2, sn // 2
        else:
            sr = node_hash(sr, hash_)
        fn, sn = fn // 2, sn // 2
    if sn != 0 or fr != first_root or sr != second_root:
        raise Malformed("the trees are not one history")


def prove_prefix(first: int, second: int, root: Callable[[int, int], bytes]) -> list[bytes]:
    """
    RFC 9162, section 2.1.4.1: the consistency proof from the first leaves of a tree, at least one, to all of them.
    `root` is the root of the leaves from one index to before another.
    """

    def prove(size: int, start: int, end: int, is_known: bool) -> list[bytes]:
        if size == end - start:
            return [] if is_known else [root(start, end)]
        split = start + (1 << (end - start - 1).bit_length() - 1)
        if start + size <= split:
            return [*prove(size, start, split, is_known), root(split, end)]
        return [*prove(size - (split - start), split, end, False), root(start, split)]

    return prove(first, 0, second, True)
