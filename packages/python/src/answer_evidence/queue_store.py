"""Where the answers of a queue are kept."""

from __future__ import annotations

import contextlib
import json
import os
import time
import uuid
from pathlib import Path
from typing import Protocol

from .errors import QueueError
from .files import PART, write_durably

# A part that is older was left by a process that has ended. It was never promised.
PART_AGE_SECONDS_MAX = 3_600
# A text that is longer is not kept in memory beside its file.
TEXT_CHARACTERS_MAX = 65_536
# Digits of a time in milliseconds, so that names sort by time.
TIME_DIGITS = 15


class QueueItem(Protocol):
    """One answer of a queue, as the JSON of its request."""

    def read(self) -> str | None:
        """
        The request; None when another process has sent what an earlier one left. Raises QueueError when it is no
        request any more.
        """

    def remove(self) -> None:
        """It has been sent: nothing of it is kept."""

    def reject(self, reason: str) -> None:
        """It will never be accepted. It is kept beside the queue, where the queue is in a folder."""


class MemoryItem:
    """An answer in memory."""

    def __init__(self, text: str) -> None:
        self.text = text

    def read(self) -> str:
        return self.text

    def remove(self) -> None:
        pass

    def reject(self, reason: str) -> None:
        pass


class FolderItem:
    """
    An answer in a file. If two processes send one file, its idempotency key makes one record of it. `text`: what this
    process has written there, which it sends again where another process was faster, to be told of the record.
    """

    def __init__(self, path: Path, rejected: Path, text: str | None = None, is_own: bool = False) -> None:
        self.path, self.rejected, self.text, self.is_own = path, rejected, text, is_own

    def read(self) -> str | None:
        try:
            text = self.path.read_bytes().decode()
            if isinstance(json.loads(text), dict):
                return text
        except FileNotFoundError:
            if self.is_own and self.text is None:
                message = "another process with this folder has sent the answer, and has the record"
                raise QueueError("queue_taken", message) from None
            return self.text
        except ValueError:
            pass
        message = f"{self.path.name} in the folder of the queue is damaged: it is in rejected/ now"
        raise QueueError("queue_damaged", message)

    def remove(self) -> None:
        self.path.unlink(missing_ok=True)

    def reject(self, reason: str) -> None:
        if not self.path.exists():
            return
        write_durably(self.rejected / f"{self.path.name}.reason.txt", f"{reason}\n")
        with contextlib.suppress(FileNotFoundError):
            os.replace(self.path, self.rejected / self.path.name)


class FolderStore:
    """A queue in a folder: one file per answer, named by the time and a random id, so that processes may share it."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.rejected = self.folder / "rejected"
        try:
            self.rejected.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise self._unwritable(error) from error

    def add(self, text: str) -> QueueItem:
        """Keeps a request. It is on the disk when this returns."""
        path = self.folder / f"{time.time_ns() // 1_000_000:0{TIME_DIGITS}d}-{uuid.uuid4()}.json"
        try:
            write_durably(path, text)
        except OSError as error:
            raise self._unwritable(error) from error
        return FolderItem(path, self.rejected, text if len(text) <= TEXT_CHARACTERS_MAX else None, is_own=True)

    def recover(self) -> list[QueueItem]:
        """What earlier processes have left, oldest first."""
        try:
            names = sorted(os.listdir(self.folder))
        except OSError as error:
            raise self._unwritable(error) from error
        for name in names:
            if name.endswith(PART):
                self._remove_old_part(self.folder / name)
        return [FolderItem(self.folder / name, self.rejected) for name in names if name.endswith(".json")]

    @staticmethod
    def _remove_old_part(path: Path) -> None:
        try:
            if time.time() - path.stat().st_mtime > PART_AGE_SECONDS_MAX:
                path.unlink()
        except FileNotFoundError:
            pass

    @staticmethod
    def _unwritable(error: OSError) -> QueueError:
        return QueueError("queue_unwritable", f"the folder of the queue cannot be used ({type(error).__name__})")
