"""Files that are on the disk, whole, when a function returns, and files that are hashed while they are sent."""

from __future__ import annotations

import hashlib
import io
import os
import uuid
from pathlib import Path
from typing import IO, cast

# What a file that is not whole yet ends with.
PART = ".part"


def write_durably(path: Path, text: str) -> None:
    """Writes a file that only this user may read. What was there before stays until the new one is on the disk."""
    beside = path.with_name(f"{path.name}.{uuid.uuid4()}{PART}")
    try:
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(descriptor, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(descriptor)
        os.replace(beside, path)
    except OSError:
        beside.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    # Windows cannot open a folder, and needs no such call.
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class HashedFile(io.RawIOBase):
    """A file that is hashed as it is read."""

    def begin(self, file: IO[bytes]) -> IO[bytes]:
        """Reads this file, from its start."""
        self.file, self.digest = file, hashlib.sha256()
        return cast("IO[bytes]", self)

    @property
    def hash(self) -> str:
        """The commitment to what was read."""
        return f"sha256:{self.digest.hexdigest()}"

    def read(self, size: int = -1, /) -> bytes:
        piece = self.file.read(size)
        self.digest.update(piece)
        return piece

    def seek(self, offset: int, whence: int = 0, /) -> int:
        # The length of a form is found out this way, and an attempt begins with it.
        if (offset, whence) == (0, 0):
            self.digest = hashlib.sha256()
        return self.file.seek(offset, whence)

    def tell(self) -> int:
        return self.file.tell()

    def __exit__(self, *_: object) -> None:
        self.file.close()
