"""The log as tiles (docs/formats/log.md, "The log as tiles"): a signed root, rebuilt from the entries."""

from __future__ import annotations

import functools
import os
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping

from .canonical_json import Json, Malformed
from .cores import read_entry
from .notes import read_checkpoint, read_note, read_vkey, signers_of
from .order import find_fault
from .outcomes import LogUnreachable, Skip, require
from .tree import EMPTY_ROOT, leaf_hash, node_hash

WIDTH = 256
TILE_BYTES_MAX = WIDTH * (2 + 0xFFFF)
TIMEOUT_SECONDS = 30

# Reads what stands under a path of the log; None where the log, or a copy of it, lacks it.
Read = Callable[[str], "bytes | None"]


def read_folder(folder: str) -> Read:
    """Reads a copy of a log: a folder with `checkpoint` and `tile/`."""

    def read(path: str) -> bytes | None:
        try:
            with open(os.path.join(folder, *path.split("/")), "rb") as file:
                return file.read()
        except (FileNotFoundError, NotADirectoryError):
            return None

    return read


def read_url(url: str, token: str | None = None) -> Read:
    """
    Reads a log at its URL, such as https://evidence.example/tlog/demo. A log that is not public needs a token, which no
    redirect carries on. Raises LogUnreachable.
    """

    @functools.cache
    def read(path: str) -> bytes | None:
        try:
            request = urllib.request.Request(f"{url.rstrip('/')}/{path}")
            if token is not None:
                request.add_unredirected_header("Authorization", f"Bearer {token}")
            with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as response:
                content: bytes = response.read(TILE_BYTES_MAX + 1)
        except urllib.error.HTTPError as error:
            if error.code == 404:
                return None
            raise LogUnreachable(f"the log responded with {error.code}") from None
        except (OSError, ValueError) as error:
            raise LogUnreachable(f"the log did not respond ({type(error).__name__})") from None
        if len(content) > TILE_BYTES_MAX:
            raise LogUnreachable("the log responded with more than a tile can hold")
        return content

    return read


def tile_path(level: int | str, index: int, width: int = WIDTH) -> str:
    """The path of a tile; partial where it has less than its whole width."""
    groups = [f"{index % 1000:03d}"]
    while index >= 1000:
        index //= 1000
        groups.insert(0, f"x{index % 1000:03d}")
    return "/".join(["tile", str(level), *groups]) + ("" if width == WIDTH else f".p/{width}")


def read_tile(read: Read, level: int | str, index: int, width: int) -> bytes | None:
    """A tile with at least its first `width` parts: a copy that has grown may hold only the full one."""
    found = read(tile_path(level, index, width))
    return read(tile_path(level, index)) if found is None and width < WIDTH else found


def split_entries(bundle: bytes, width: int) -> list[bytes]:
    """The first entries of a tile of entries. Raises Malformed."""
    entries = []
    for _ in range(width):
        length = int.from_bytes(bundle[:2], "big")
        require(len(bundle) >= 2 + length and len(bundle) >= 2, "a bundle of entries ends early")
        entries.append(bundle[2 : 2 + length])
        bundle = bundle[2 + length :]
    return entries


class Log:
    """The leaves of a log below a checkpoint, as far as the tiles that are at hand have them."""

    def __init__(self, read: Read, size: int, root: bytes) -> None:
        self.read, self.size, self.root = read, size, root
        self.missing: list[str] = []

    def _tile(self, level: int | str, index: int, width: int) -> bytes | None:
        found = read_tile(self.read, level, index, width)
        if found is None:
            self.missing.append(tile_path(level, index, width))
        return found

    @staticmethod
    def _widths(count: int) -> list[tuple[int, int]]:
        return [(index, min(WIDTH, count - index * WIDTH)) for index in range((count + WIDTH - 1) // WIDTH)]

    def _entries_of(self, index: int, width: int) -> list[bytes] | None:
        tile = self._tile("entries", index, width)
        return None if tile is None else split_entries(tile, width)

    def hashes_of(self, level: int, index: int, width: int) -> list[bytes] | None:
        """The first hashes of a tile, None where it is missing."""
        tile = self._tile(level, index, width)
        if tile is None:
            return None
        require(len(tile) >= 32 * width and len(tile) % 32 == 0, f"a tile of level {level} has another length")
        return [tile[32 * n : 32 * n + 32] for n in range(width)]

    @functools.cached_property
    def entries(self) -> list[bytes | None]:
        """The entries by index, None for those of a tile that is missing."""
        entries: list[bytes | None] = []
        for index, width in self._widths(self.size):
            entries.extend(self._entries_of(index, width) or [None] * width)
        return entries

    @functools.cached_property
    def hashes(self) -> list[bytes | None]:
        """The leaf hashes by index: of the entries, or of the tile of hashes where entries are missing."""
        hashes: list[bytes | None] = []
        for index, width in self._widths(self.size):
            entries = self.entries[index * WIDTH : index * WIDTH + width]
            if None in entries:
                hashes.extend(self.hashes_of(0, index, width) or [None] * width)
            else:
                hashes.extend(leaf_hash(entry) for entry in entries if entry is not None)
        return hashes

    def assert_root(self) -> None:
        """Raises Malformed where what is at hand contradicts the root. Parts may be missing."""
        root = root_at(self.hashes, self.size)
        if root is not None:
            require(root == self.root, "the entries lead to another root than the one that is signed")
            return
        for index, width in self._widths(self.size):
            own = self.hashes[index * WIDTH : index * WIDTH + width]
            tile = None if None in own else self.hashes_of(0, index, width)
            require(tile is None or tile == own, "a tile of level 0 is not that of the entries")

    def assert_whole(self, undecided: str = "") -> None:
        """Raises Skip where a tile of entries is missing."""
        missing = [path for path in dict.fromkeys(self.missing) if path.startswith("tile/entries/")]
        if missing:
            named = ", ".join(missing[:3])
            raise Skip(f"the log lacks {named}" + (f": {undecided}" if undecided else ""))

    @functools.cached_property
    def read_entries(self) -> list[Json | None]:
        """Every entry, read. A leaf that is no entry could be about anything, so it fails the log."""
        return [None if entry is None else _read_leaf(entry, leaf) for leaf, entry in enumerate(self.entries)]

    def assert_order(self, shown: Mapping[int, Json]) -> None:
        """
        Raises Malformed where a leaf is not in its place, and Skip where leaves are missing and none is wrong. `shown`
        are entries that are proven to be leaves of the tree: they stand for those that are missing.
        """
        self.assert_root()
        fault = find_fault(shown.get(n) if entry is None else entry for n, entry in enumerate(self.read_entries))
        require(fault is None, fault or "")
        self.assert_whole("whether every leaf is in its place was not seen")


def _read_leaf(entry: bytes, leaf: int) -> Json:
    try:
        return read_entry(entry.decode())
    except (Malformed, UnicodeDecodeError):
        said = f"the entry of leaf {leaf} of the log is not the canonical text of a version 1 entry"
        raise Malformed(said) from None


def root_at(hashes: list[bytes | None], size: int) -> bytes | None:
    """The root of the first `size` leaves; None where a hash is missing."""
    level, right = [hash_ for hash_ in hashes[:size] if hash_ is not None], None
    if len(level) < size:
        return None
    # Whole subtrees pair up. What is left over at a level is the left neighbour of what was left over below it.
    while len(level) > 1:
        if len(level) % 2 == 1:
            last = level.pop()
            right = last if right is None else node_hash(last, right)
        level = [node_hash(left, other) for left, other in zip(level[::2], level[1::2], strict=True)]
    root = level[0] if level else EMPTY_ROOT
    return root if right is None else node_hash(root, right)


class PublishedLog:
    """A log with its own checkpoint, and the checks of it."""

    def __init__(self, read: Read, vkey: str = "") -> None:
        note = read("checkpoint")
        if note is None:
            raise LogUnreachable("there is no checkpoint at this place")
        self.note, self.vkey = note.decode(), vkey
        self.origin, size, root = read_checkpoint(read_note(self.note)[0])
        self.log = Log(read, size, root)

    def checkpoint_signature(self) -> None:
        """The checkpoint is signed by the key, which is that of the log."""
        signers_of(self.note, {self.vkey})
        require(read_vkey(self.vkey)[0] == self.origin, "the checkpoint is of another log")

    def merkle_root(self) -> None:
        """The entries lead to the signed root."""
        if root_at(self.log.hashes, self.log.size) is not None:
            self.log.assert_root()
        self.log.assert_whole()

    def log_order(self) -> None:
        """Every leaf is in its place."""
        self.log.assert_order({})

    def hash_tiles(self) -> None:
        """Every tile of hashes holds what the entries come to."""
        lacking: list[str] = []
        level, hashes = 0, self.log.hashes
        while hashes:
            for index, width in self.log._widths(len(hashes)):
                found = self.log.hashes_of(level, index, width)
                wanted = hashes[index * WIDTH : index * WIDTH + width]
                if found is None:
                    lacking.append(tile_path(level, index, width))
                elif None not in wanted and found != wanted:
                    raise Malformed(f"a tile of level {level} is not that of the entries")
            if None in hashes:
                break
            whole = len(hashes) // WIDTH
            hashes = [root_at(hashes[WIDTH * n : WIDTH * (n + 1)], WIDTH) for n in range(whole)]
            level += 1
        if lacking:
            raise Skip("the log lacks " + ", ".join(lacking[:3]))
        self.log.assert_whole()
