"""Verifies receipts, and that all trees of a log that were seen belong to one history."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import quote

from .errors import ConfigurationError, MismatchError, VerificationError
from .files import write_durably
from .per_process import PerProcess
from .verify.bundle_form import TRUST
from .verify.canonical_json import Malformed, read_json
from .verify.cores import keys_at
from .verify.form import assert_form
from .verify.notes import assert_receipt_signed, read_checkpoint, read_note, read_receipt
from .verify.outcomes import require
from .verify.tiles import WIDTH, tile_path
from .verify.tree import assert_consistent, leaf_hash, node_hash, prove_prefix, root_of

try:
    import fcntl
except ImportError:  # Windows has none.
    fcntl = None  # type: ignore[assignment]

# Reads a tile of the log from the service; None for one that is missing.
ReadTile = Callable[[str], "bytes | None"]


class CheckpointStore(Protocol):
    """
    Remembers the newest verified checkpoint of each log, as the whole signed note. What `save` has returned from must
    be found by a later `load`, as far as the store is to survive. A store that processes share may also have
    `replace(origin, before, note) -> bool`, which saves only where `before` is what `load` returns still.
    """

    def load(self, origin: str) -> str | None:
        """The note, or None where none was saved for this log."""

    def save(self, origin: str, note: str) -> None:
        """Remembers the note in place of what was there."""


class MemoryCheckpoints:
    """Remembers as long as the process lives."""

    def __init__(self) -> None:
        self.notes: dict[str, str] = {}

    def load(self, origin: str) -> str | None:
        return self.notes.get(origin)

    def save(self, origin: str, note: str) -> None:
        self.notes[origin] = note


class FolderCheckpoints:
    """One file per log: `<hex SHA-256 of the origin>.checkpoint`, on the disk when `save` returns."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)

    def _path(self, origin: str) -> Path:
        return self.folder / f"{hashlib.sha256(origin.encode()).hexdigest()}.checkpoint"

    def load(self, origin: str) -> str | None:
        try:
            return self._path(origin).read_bytes().decode()
        except FileNotFoundError:
            return None

    def save(self, origin: str, note: str) -> None:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_durably(self._path(origin), note)

    def replace(self, origin: str, before: str | None, note: str) -> bool:
        """Saves a note in place of another one, unless another process has saved meanwhile."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _locked(self.folder):
            if self.load(origin) != before:
                return False
            self.save(origin, note)
            return True

    def keep(self, error: MismatchError) -> None:
        """Keeps what a response showed of the log that was about something else than what was sent."""
        shown = {"fields": list(error.fields), "entry": error.entry, "receipt": error.receipt}
        text = json.dumps({"format": "answer-evidence-mismatch/v1", **shown}, indent=2)
        name = hashlib.sha256((error.receipt or text).encode()).hexdigest()[:16]
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_durably(self.folder / f"mismatch-{name}.json", f"{text}\n")


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Holds the lock of a folder, where the system has one: other processes and threads wait."""
    if fcntl is None:
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        # Some network file systems lock no folders.
        with contextlib.suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        # A process that was forked meanwhile has the descriptor as well, so that closing it unlocks nothing.
        with contextlib.suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_UN)
        os.close(descriptor)


def read_trust(trust: dict[str, Any] | str | Path) -> dict[str, Any]:
    """A trust file, or what one holds. Raises ConfigurationError."""
    try:
        value: Any = trust if isinstance(trust, dict) else read_json(Path(trust).read_bytes().decode())
        assert_form(value, TRUST, "the trust file")
    except (OSError, UnicodeDecodeError, Malformed) as error:
        raise ConfigurationError("the option trust is not a file that `trust export` wrote") from error
    read: dict[str, Any] = value
    return read


class ReceiptGuard:
    """Judges one receipt at a time: what is remembered must not change between being compared and being replaced."""

    def __init__(self, trust: dict[str, Any], store: CheckpointStore) -> None:
        self.trust, self.store = trust, store
        self._lock = PerProcess(threading.Lock)

    def judge(self, record: Mapping[str, Any], read: ReadTile) -> None:
        """
        Verifies the receipt of a record, and remembers its tree if it is larger than that of before. Raises
        VerificationError, and what the store and `read` raise.
        """
        with self._lock.get():
            # Another process may remember a larger tree meanwhile, which is then what the receipt is compared with.
            while not self._judge(record["receipt"], record["ledger"]["entry"], read):
                pass

    def keep(self, error: MismatchError) -> None:
        """Keeps the evidence of a response that is about something else, where the store has a place for it."""
        keep = getattr(self.store, "keep", None)
        if keep is not None:
            keep(error)

    def _remember(self, origin: str, before: str | None, note: str) -> bool:
        replace = getattr(self.store, "replace", None)
        if replace is not None:
            return bool(replace(origin, before, note))
        self.store.save(origin, note)
        return True

    def _judge(self, receipt: str, entry: str, read: ReadTile) -> bool:
        """Whether what it was compared with is what is remembered still."""
        note, origin, size, root = self._verify_alone(receipt, entry)
        remembered = self.store.load(origin)
        if remembered is None:
            return self._remember(origin, None, note)
        shown = {"given": note, "remembered": remembered}
        try:
            own_origin, own_size, own_root = self._signed(remembered)
            require(own_origin == origin, "it is of another log")
        except Malformed as reason:
            message = f"what is remembered of {origin} is not a checkpoint that its pinned keys signed ({reason})"
            raise VerificationError("receipt_unproven", message, receipt, **shown) from None
        first, second = sorted(((own_size, own_root), (size, root)), key=lambda tree: tree[0])
        if first[0] == second[0]:
            if own_root != root:
                message = f"{origin} has signed a fork: two trees of {size} leaves"
                raise VerificationError("receipt_inconsistent", message, receipt, **shown)
            return True
        if first[0] > 0:
            try:
                proof = _consistency(origin, first[0], second[0], read)
                assert_consistent(first[0], second[0], first[1], second[1], proof)
            except Malformed:
                message = f"the log does not prove that its tree of {first[0]} leaves begins its tree of {second[0]}"
                raise VerificationError("receipt_unproven", message, receipt, **shown) from None
        return size <= own_size or self._remember(origin, remembered, note)

    def _verify_alone(self, receipt: str, entry: str) -> tuple[str, str, int, bytes]:
        try:
            index, hashes, note = read_receipt(receipt)
            origin, size, root = read_checkpoint(read_note(note)[0])
        except Malformed as reason:
            raise VerificationError("receipt_invalid", str(reason), receipt) from None
        try:
            self._signed(note)
        except Malformed as reason:
            raise VerificationError("receipt_untrusted", str(reason), receipt, given=note) from None
        try:
            require(root_of(index, size, leaf_hash(entry), hashes) == root, "the entry is not in the tree")
        except Malformed as reason:
            raise VerificationError("receipt_invalid", str(reason), receipt, given=note) from None
        return note, origin, size, root

    def _signed(self, note: str) -> tuple[str, int, bytes]:
        """The checkpoint of a note that every pinned key of its size has signed. Raises Malformed."""
        origin, size, root = read_checkpoint(read_note(note)[0])
        logs = [log for log in self.trust["logs"] if log["origin"] == origin]
        require(logs, f"the trust file does not name the log {origin}")
        vkeys = {vkey for log in logs for _, vkey in keys_at(log["keys"], size)}
        assert_receipt_signed(note, vkeys)
        return origin, size, root


def _consistency(origin: str, first: int, second: int, read: ReadTile) -> list[bytes]:
    """The consistency proof between two sizes, made of tiles of the larger tree. Nothing is checked here."""
    workspace = quote(origin.split("/")[-2] if origin.count("/") > 1 else "", safe="")
    tiles: dict[str, bytes] = {}

    def perfect(level: int, index: int) -> bytes:
        """The root of the 2^level leaves from 2^level * index on."""
        tile_level, height = divmod(level, 8)
        tile_index, offset = divmod(index << height, WIDTH)
        width = min(WIDTH, (second >> 8 * tile_level) - tile_index * WIDTH)
        path = tile_path(tile_level, tile_index, width)
        if path not in tiles:
            tile = read(f"/tlog/{workspace}/{path}")
            require(tile is not None and len(tile) == 32 * width, "a tile of the log is missing")
            tiles[path] = tile or b""
        hashes = [tiles[path][32 * n : 32 * n + 32] for n in range(offset, offset + (1 << height))]
        while len(hashes) > 1:
            hashes = [node_hash(hashes[n], hashes[n + 1]) for n in range(0, len(hashes), 2)]
        return hashes[0]

    def root(start: int, end: int) -> bytes:
        width = end - start
        if width & (width - 1) == 0:
            return perfect(width.bit_length() - 1, start // width)
        split = start + (1 << (width - 1).bit_length() - 1)
        return node_hash(root(start, split), root(split, end))

    return prove_prefix(first, second, root)
