"""The entries of a log from where a monitor's last reading ended, each proven to be a leaf, and in its place."""

from __future__ import annotations

from collections.abc import Callable

from .canonical_json import Json, Malformed
from .cores import read_entry
from .form import format_time
from .leaf_file import LeafFile
from .order import LogOrder, Placed, describe_faults, place
from .outcomes import require
from .tile_tree import TileTree
from .tiles import WIDTH, Read, read_tile, split_entries, tile_path
from .tree import EMPTY_ROOT, leaf_hash, node_hash

# Bundles that are read before they are proven and kept.
BUNDLES_AT_ONCE = 32
NOTHING_READ: Json = {"entries": {"tree_size": 0, "frontier": []}, "key_changes": [], "epochs": []}


class NewEntries:
    """Reads on, a few bundles at a time. `log` is what has been read so far, also after Malformed was raised."""

    def __init__(self, log: Json, read: Read, tree: TileTree, leaves: LeafFile, keep: Callable[[Json], None]) -> None:
        self.log, self.read, self.tree, self.leaves, self.keep = log, read, tree, leaves, keep
        self.policy_changes: list[int] = []

    def read_all(self) -> None:
        """Reads up to the checkpoint. Where the places of earlier leaves are not kept, it begins with the first."""
        size = self.tree.size
        if self.log["entries"]["tree_size"] == size and self.leaves.has(size):
            return
        order = self.leaves.read_order(self.log["entries"]["tree_size"])
        if order is None:
            order, self.log = LogOrder(), {**self.log, **NOTHING_READ}
        while (start := self.log["entries"]["tree_size"]) < size:
            self._read_some(order, start, min((start // WIDTH + BUNDLES_AT_ONCE) * WIDTH, size))

    def _read_some(self, order: LogOrder, start: int, end: int) -> None:
        frontier = [bytes.fromhex(hash_) for hash_ in self.log["entries"]["frontier"]]
        placed: list[Placed] = []
        for at in range(start - start % WIDTH, end, WIDTH):
            for n, entry in enumerate(self._bundle(at // WIDTH, min(WIDTH, end - at)), at):
                if n >= start:
                    _append(frontier, n, leaf_hash(entry))
                    placed.append(_read_placed(entry, n))
        if not self.tree.compare(end, _root_of(frontier)).goes_on:
            raise Malformed(f"the entries from leaf {start} to {end - 1} are not the leaves of the checkpoint's tree")
        fault = describe_faults(order.add(leaf) for leaf in placed)
        require(fault is None, fault or "")

        def of_type(name: str) -> list[int]:
            return [n for n, leaf in enumerate(placed, start) if leaf.type == name]

        self.policy_changes += of_type("trust_policy_changed")
        hashes = [hash_.hex() for hash_ in frontier]
        self.log = {
            **self.log,
            "entries": {"tree_size": end, "frontier": hashes, "last_at": format_time(placed[-1].at)},
            "key_changes": [*self.log["key_changes"], *of_type("ledger_key_changed")],
            "epochs": [*self.log["epochs"], *of_type("epoch_opened")],
        }
        # The places first: of leaves that the state does not count they are overwritten.
        self.leaves.write(start, placed)
        self.keep(self.log)

    def _bundle(self, index: int, width: int) -> list[bytes]:
        tile = read_tile(self.read, "entries", index, width)
        require(tile is not None, f"the log lacks {tile_path('entries', index, width)}")
        return split_entries(tile or b"", width)


def _read_placed(entry: bytes, leaf: int) -> Placed:
    try:
        return place(read_entry(entry.decode()))
    except (Malformed, UnicodeDecodeError):
        raise Malformed(f"leaf {leaf} of the log is not an entry") from None


def _append(frontier: list[bytes], size: int, hash_: bytes) -> None:
    """Puts a leaf behind the first `size` ones. The frontier has a root for each bit of the size, the largest first."""
    while size & 1:
        hash_ = node_hash(frontier.pop(), hash_)
        size >>= 1
    frontier.append(hash_)


def _root_of(frontier: list[bytes]) -> bytes:
    if not frontier:
        return EMPTY_ROOT
    root = frontier[-1]
    for left in frontier[-2::-1]:
        root = node_hash(left, root)
    return root
