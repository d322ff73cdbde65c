"""The places of the leaves of a log that were read (docs/formats/monitor.md, "The leaf file")."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Sequence

from .entry_kinds import PLACES
from .order import LogOrder, Placed

ROW_BYTES = 97
ROWS_AT_ONCE = 4_096
SEQ_BITS = 53
TYPES = tuple(PLACES)
NUMBERS = {name: number for number, name in enumerate(TYPES)}


class LeafFile:
    """The rows of one log, in a file beside the state. The lock of the state is that of the file too."""

    def __init__(self, state: str, source: str) -> None:
        self.folder = f"{state}.leaves"
        self.path = os.path.join(self.folder, hashlib.sha256(source.encode()).hexdigest()[:16])

    def has(self, leaves: int) -> bool:
        try:
            return os.stat(self.path).st_size >= leaves * ROW_BYTES
        except FileNotFoundError:
            return leaves == 0

    def read_order(self, leaves: int) -> LogOrder | None:
        """The order of the log after its first leaves, None where their rows are missing, or are none."""
        order = LogOrder()
        if leaves == 0:
            return order
        if not self.has(leaves):
            return None
        for row in self._rows(leaves):
            placed = _parse(row)
            # Whatever is out of order was refused when it was written, so these rows are not those of this log.
            if placed is None or order.add(placed):
                return None
        return order

    def write(self, start: int, placed: Sequence[Placed]) -> None:
        """Puts rows from a leaf on, instead of any that are there. They are on the disk when the call returns."""
        os.makedirs(self.folder, mode=0o700, exist_ok=True)
        descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600)
        with os.fdopen(descriptor, "r+b") as file:
            file.seek(start * ROW_BYTES)
            file.write("".join(map(_format, placed)).encode())
            file.flush()
            os.fsync(file.fileno())

    def _rows(self, leaves: int) -> Iterator[str]:
        with open(self.path, encoding="latin-1", newline="\n") as file:
            for start in range(0, leaves, ROWS_AT_ONCE):
                count = min(ROWS_AT_ONCE, leaves - start)
                piece = file.read(count * ROW_BYTES)
                for n in range(count):
                    yield piece[n * ROW_BYTES : (n + 1) * ROW_BYTES]


def _format(leaf: Placed) -> str:
    at = leaf.at & (1 << 64) - 1
    last = NUMBERS[leaf.type] << SEQ_BITS | leaf.seq
    return f"{leaf.id.replace('-', '')}{leaf.subject.replace('-', '')}{at:016x}{last:016x}\n"


def _parse(row: str) -> Placed | None:
    if re.fullmatch(r"[0-9a-f]{96}\n", row) is None:
        return None
    at, last = int(row[64:80], 16), int(row[80:96], 16)
    number, seq = last >> SEQ_BITS, last & (1 << SEQ_BITS) - 1
    if number >= len(TYPES):
        return None
    return Placed(TYPES[number], _id_of(row[:32]), _id_of(row[32:64]), seq, at - (at >> 63 << 64))


def _id_of(digits: str) -> str:
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"
