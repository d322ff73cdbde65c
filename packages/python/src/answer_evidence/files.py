"""Files that are on the disk, whole, when a function returns."""

from __future__ import annotations

import os
import uuid
from pathlib import Path

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
