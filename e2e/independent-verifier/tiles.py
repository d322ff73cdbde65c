"""The log as tiles (docs/formats/log.md, "The log as tiles"): a signed root, rebuilt from the entries."""

import os

from bundle_checks import Skip
from canonical_json import Malformed
from notes import read_checkpoint, read_note, read_vkey, signers_of
from tree import leaf_hash, node_hash, EMPTY_ROOT

WIDTH = 256


def tile_path(level, index, width):
    groups = ["%03d" % (index % 1000)]
    while index >= 1000:
        index //= 1000
        groups.insert(0, "x%03d" % (index % 1000))
    return "/".join(["tile", str(level), *groups]) + ("" if width == WIDTH else ".p/%d" % width)


class Log:
    """A folder with `checkpoint` and `tile/`, as the service shows them."""

    def __init__(self, folder, vkey):
        self.folder, self.vkey = folder, vkey
        with open(os.path.join(folder, "checkpoint"), encoding="utf-8", newline="") as file:
            self.note = file.read()
        self.origin, self.size, self.root = read_checkpoint(read_note(self.note)[0])
        self.missing = []

    def _read(self, path):
        """The bytes of a tile; None for one that the copy lacks."""
        try:
            with open(os.path.join(self.folder, path), "rb") as file:
                return file.read()
        except FileNotFoundError:
            self.missing.append(path)
            return None

    def _require_whole(self):
        if self.missing:
            raise Skip("the log lacks %s" % ", ".join(dict.fromkeys(self.missing)))

    def _widths(self, count):
        return [(index, min(WIDTH, count - index * WIDTH)) for index in range((count + WIDTH - 1) // WIDTH)]

    def checkpoint_signature(self):
        signers_of(self.note, {self.vkey})
        if read_vkey(self.vkey)[0] != self.origin:
            raise Malformed("the checkpoint is of another log")

    def _hashes_of_entries(self, index, width):
        rest, hashes = self._read(tile_path("entries", index, width)), []
        if rest is None:
            return None
        for _ in range(width):
            length = int.from_bytes(rest[:2], "big")
            if len(rest) < 2 + length:
                raise Malformed("a bundle of entries ends early")
            hashes.append(leaf_hash(rest[2 : 2 + length].decode()))
            rest = rest[2 + length :]
        if rest:
            raise Malformed("a bundle of entries is too long")
        return hashes

    def _hashes_of_tile(self, level, index, width):
        tile = self._read(tile_path(level, index, width))
        if tile is None:
            return None
        if len(tile) != 32 * width:
            raise Malformed("a tile of level %d has another length" % level)
        return [tile[32 * n : 32 * n + 32] for n in range(width)]

    def leaves(self):
        """The leaf hashes of the entries, or of the hash tiles where entries are missing; None where both are."""
        hashes = []
        for index, width in self._widths(self.size):
            found = self._hashes_of_entries(index, width) or self._hashes_of_tile(0, index, width)
            hashes.extend(found or [None] * width)
        return hashes

    def merkle_root(self):
        self.missing = []
        level, right = self.leaves(), None
        if None in level:
            self._require_whole()
        # Whole subtrees pair up. What is left over at a level is the left neighbour of what was left over below it.
        while len(level) > 1:
            if len(level) % 2 == 1:
                last = level.pop()
                right = last if right is None else node_hash(last, right)
            level = [node_hash(left, other) for left, other in zip(level[::2], level[1::2])]
        root = level[0] if level else EMPTY_ROOT
        if right is not None:
            root = node_hash(root, right)
        if root != self.root:
            raise Malformed("the entries lead to another root than the one that is signed")

        self._require_whole()

    def hash_tiles(self):
        """Every tile of hashes holds what the entries come to."""
        self.missing = []
        level, hashes = 0, self.leaves()
        while hashes:
            for index, width in self._widths(len(hashes)):
                found = self._hashes_of_tile(level, index, width)
                wanted = hashes[index * WIDTH : index * WIDTH + width]
                if found is not None and None not in wanted and found != wanted:
                    raise Malformed("a tile of level %d is not that of the entries" % level)
            if None in hashes:
                break
            for _ in range(8):
                hashes = [node_hash(left, right) for left, right in zip(hashes[::2], hashes[1::2])]
            level += 1
        self._require_whole()
