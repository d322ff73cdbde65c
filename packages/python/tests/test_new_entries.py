"""The monitor reads each entry of a log once, and holds later ones against those that it has read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from answer_evidence.verify.canonical_json import Json, Malformed, canonical
from answer_evidence.verify.form import format_time
from answer_evidence.verify.leaf_file import LeafFile
from answer_evidence.verify.new_entries import NOTHING_READ, NewEntries
from answer_evidence.verify.tile_tree import TileTree
from answer_evidence.verify.tiles import WIDTH, root_at, tile_path
from answer_evidence.verify.tree import leaf_hash

GROWN = 2 * WIDTH + 88
BEFORE = WIDTH + 44


def id_of(leaf: int) -> str:
    return f"00000000-0000-7000-8000-{leaf:012x}"


def entry_of(leaf: int, **changes: Any) -> str:
    kind = "answer_recorded" if leaf else "genesis"
    at = format_time(1_700_000_000_000_000 + leaf)
    plain = {"v": 1, "type": kind, "id": id_of(leaf), "subject": id_of(leaf), "seq": 0}
    return canonical({**plain, "hash": f"sha256:{'0' * 64}", "at": at, **changes})


class Served:
    """The tiles of a log, and which of them were asked for."""

    def __init__(self, **changed: Json) -> None:
        self.changes = {int(leaf[1:]): changes for leaf, changes in changed.items()}
        self.asked: list[str] = []
        self.show(BEFORE)

    def show(self, size: int) -> None:
        self.size = size
        entries = [entry_of(leaf, **self.changes.get(leaf, {})).encode() for leaf in range(size)]
        hashes: list[bytes | None] = [leaf_hash(entry) for entry in entries]
        self.tiles, self.root = {}, root_at(hashes, size) or b""
        for start in range(0, size, WIDTH):
            end = min(start + WIDTH, size)
            bundle = b"".join(len(entry).to_bytes(2, "big") + entry for entry in entries[start:end])
            self.tiles[tile_path("entries", start // WIDTH, end - start)] = bundle
            self.tiles[tile_path(0, start // WIDTH, end - start)] = b"".join(map(leaf_hash, entries[start:end]))
        roots = [root_at(hashes[n : n + WIDTH], WIDTH) or b"" for n in range(0, size - WIDTH + 1, WIDTH)]
        self.tiles[tile_path(1, 0, len(roots))] = b"".join(roots)

    def read(self, path: str) -> bytes | None:
        self.asked.append(path)
        return self.tiles.get(path)


class Reader:
    """A monitor's place in a log, in a folder of its own."""

    def __init__(self, folder: Path, served: Served) -> None:
        self.served, self.leaves = served, LeafFile(str(folder / "state.json"), "log")
        self.log: Json = dict(NOTHING_READ)

    def read_on(self) -> list[str]:
        """Reads what is new. Returns the tiles of entries that were asked for."""
        self.served.asked.clear()
        tree = TileTree(self.served.read, self.served.size, self.served.root)
        reading = NewEntries(self.log, self.served.read, tree, self.leaves, self._keep)
        reading.read_all()
        assert reading.log == self.log
        assert self.log["entries"]["tree_size"] == self.served.size
        return [path for path in self.served.asked if "entries" in path]

    def _keep(self, log: Json) -> None:
        self.log = json.loads(json.dumps(log))


def test_only_new_entries_are_read(tmp_path: Path) -> None:
    reader = Reader(tmp_path, Served())
    assert reader.read_on() == ["tile/entries/000", "tile/entries/001.p/44"]
    assert reader.read_on() == []
    reader.served.show(GROWN)
    assert reader.read_on() == ["tile/entries/001", "tile/entries/002.p/88"]
    assert reader.log["entries"]["last_at"] == format_time(1_700_000_000_000_000 + GROWN - 1)


def test_entries_are_read_again_where_their_places_are_lost(tmp_path: Path) -> None:
    reader = Reader(tmp_path, Served())
    reader.read_on()
    Path(reader.leaves.path).unlink()
    reader.served.show(GROWN)
    assert len(reader.read_on()) == 3
    Path(reader.leaves.path).write_text("0" * 97 * GROWN)
    reader.served.show(GROWN + 1)
    assert len(reader.read_on()) == 3


def test_the_leaf_file_has_the_form_of_its_page(tmp_path: Path) -> None:
    reader = Reader(tmp_path, Served())
    reader.read_on()
    rows = Path(reader.leaves.path).read_text().splitlines()
    digits = f"{5:032x}".replace("0" * 31, "00000000000070008000000000000000"[:31])
    at = f"{1_700_000_000_000_005:016x}"
    assert len(rows) == BEFORE
    assert rows[5] == f"{digits}{digits}{at}{1 << 53:016x}"
    order = reader.leaves.read_order(BEFORE)
    assert order is not None
    assert order.size == BEFORE


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"id": id_of(7), "subject": id_of(7)}, "records a record a second time"),
        ({"at": format_time(1_700_000_000_000_003)}, "is not later than"),
        ({"type": "genesis"}, "is a second genesis"),
        ({"type": "lifecycle_event", "subject": id_of(3), "seq": 2}, "has the seq 2, but the one before it has 0"),
        ({"type": "trace_attached", "subject": id_of(GROWN + 9)}, "that no leaf before it records"),
        ({"v": 2}, "leaf 300 of the log is not an entry"),
    ],
)
def test_later_leaves_are_held_against_those_that_were_read(tmp_path: Path, changes: Json, said: str) -> None:
    reader = Reader(tmp_path, Served(**{f"_{BEFORE}": changes}))
    reader.read_on()
    before = reader.log
    reader.served.show(GROWN)
    for _ in range(2):
        with pytest.raises(Malformed, match=said):
            reader.read_on()
        assert reader.log == before


def test_entries_that_are_not_the_leaves_are_refused(tmp_path: Path) -> None:
    reader = Reader(tmp_path, Served())
    reader.served.tiles["tile/entries/000"] = reader.served.tiles["tile/entries/000"].replace(b"answer", b"answes", 1)
    with pytest.raises(Malformed, match="is not an entry"):
        reader.read_on()
    reader.served.show(BEFORE)
    whole = reader.served.tiles["tile/entries/000"]
    reader.served.tiles["tile/entries/000"] = whole.replace(b'"sha256:0', b'"sha256:1', 1)
    with pytest.raises(Malformed, match="the entries from leaf 0 to 299 are not the leaves"):
        reader.read_on()


def test_a_tree_out_of_tiles_is_that_of_its_leaves() -> None:
    served = Served()
    served.show(GROWN)
    tree = TileTree(served.read, GROWN, served.root)
    hashes: list[bytes | None] = [leaf_hash(entry_of(leaf)) for leaf in range(GROWN)]
    for size in (1, 2, 3, WIDTH - 1, WIDTH, WIDTH + 1, 2 * WIDTH, GROWN - 1, GROWN):
        root = root_at(hashes, size) or b""
        assert tree.root(0, size) == root
        assert tree.compare(size, root).goes_on
        assert not tree.compare(size, b"\0" * 32).goes_on
    for leaf in (0, 1, WIDTH, GROWN - 1):
        assert tree.leaf(leaf) == hashes[leaf]
        tree.assert_leaf(leaf, tree.leaf(leaf))
        with pytest.raises(Malformed):
            tree.assert_leaf(leaf, b"\0" * 32)
