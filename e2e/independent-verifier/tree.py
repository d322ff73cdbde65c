"""The Merkle tree of RFC 9162 (docs/formats.md, section 6)."""

import hashlib

from canonical_json import Malformed


EMPTY_ROOT = hashlib.sha256(b"").digest()


def leaf_hash(entry):
    return hashlib.sha256(b"\0" + entry.encode()).digest()


def node_hash(left, right):
    return hashlib.sha256(b"\1" + left + right).digest()


def root_of(index, size, leaf, proof):
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
