"""The tree of a log out of its tiles of hashes, of which only those are read that a question needs."""

from __future__ import annotations

from typing import NamedTuple

from .canonical_json import Json, Malformed
from .outcomes import require
from .tiles import WIDTH, Read, read_tile, tile_path
from .tree import EMPTY_ROOT, assert_consistent, node_hash, prove_prefix, root_of

TILE_BITS = 8


class Comparison(NamedTuple):
    """Whether a tree begins with a smaller one, and if not, with which: None where both are of one size."""

    goes_on: bool
    prefix: Json | None = None


class TileTree:
    """The tree of the first `size` leaves. Methods raise Malformed where a tile is missing or has another length."""

    def __init__(self, read: Read, size: int, root: bytes) -> None:
        self.read, self.size, self.signed = read, size, root
        self.tiles: dict[tuple[int, int], bytes] = {}

    def leaf(self, index: int) -> bytes:
        return self.root(index, index + 1)

    def assert_leaf(self, index: int, hash_: bytes) -> None:
        """Raises Malformed where the tiles do not lead from a leaf to the signed root."""
        if root_of(index, self.size, hash_, self._inclusion(index)) != self.signed:
            raise Malformed(self._other_root())

    def root(self, start: int, end: int) -> bytes:
        """The root of the leaves from one index to before another, as far as they are a node of a tree."""
        count = end - start
        if count == 0:
            return EMPTY_ROOT
        height = count.bit_length() - 1
        if count == 1 << height and start % count == 0:
            return self._node(height, start >> height)
        split = start + (1 << (count - 1).bit_length() - 1)
        return node_hash(self.root(start, split), self.root(split, end))

    def compare(self, size: int, root: bytes) -> Comparison:
        """
        Whether this tree begins with another. Raises Malformed where the tiles do not lead to the signed root, so that
        what contradicts it can be shown to anybody.
        """
        if size == self.size:
            return Comparison(root == self.signed)
        if size == 0:
            require(root == EMPTY_ROOT, "the root is not that of the empty tree")
            return Comparison(True)
        own, proof = self.root(0, size), prove_prefix(size, self.size, self.root)
        try:
            assert_consistent(size, self.size, own, self.signed, proof)
        except Malformed:
            raise Malformed(self._other_root()) from None
        if own == root:
            return Comparison(True)
        shown = {"tree_size": size, "root_hash": own.hex(), "proof": [hash_.hex() for hash_ in proof]}
        return Comparison(False, shown)

    def _other_root(self) -> str:
        return f"the tiles of the log do not produce the root of its tree of {self.size} leaves"

    def _inclusion(self, index: int) -> list[bytes]:
        proof: list[bytes] = []
        start, end = 0, self.size
        while end - start > 1:
            split = start + (1 << (end - start - 1).bit_length() - 1)
            if index < split:
                proof.append(self.root(split, end))
                end = split
            else:
                proof.append(self.root(start, split))
                start = split
        return proof[::-1]

    def _node(self, height: int, index: int) -> bytes:
        """The root of the perfect subtree of that height: a hash of a tile, or some beside each other."""
        level, above = divmod(height, TILE_BITS)
        first = index << above
        tile = self._tile(level, first // WIDTH)
        at = first % WIDTH
        hashes = [tile[32 * n : 32 * n + 32] for n in range(at, at + (1 << above))]
        while len(hashes) > 1:
            hashes = [node_hash(left, right) for left, right in zip(hashes[::2], hashes[1::2], strict=True)]
        return hashes[0]

    def _tile(self, level: int, index: int) -> bytes:
        known = self.tiles.get((level, index))
        if known is not None:
            return known
        width = min(WIDTH, (self.size >> TILE_BITS * level) - index * WIDTH)
        path = tile_path(level, index, width)
        tile = read_tile(self.read, level, index, width)
        if tile is None:
            raise Malformed(f"the log lacks {path}")
        require(len(tile) >= 32 * width and len(tile) % 32 == 0, f"the log is truncated inside {path}")
        self.tiles[level, index] = tile
        return tile
