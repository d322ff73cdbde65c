"""The state file of a monitor (docs/formats/monitor.md, "The state file")."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Callable, Iterator

from .canonical_json import Json, Malformed, read_json
from .cores import micros
from .notes import read_checkpoint, read_note

FORMAT = "answer-evidence-monitor/v1"
STATE_MEMBERS = {"source", "checkpoint", "grown_at", "earlier", "entries", "key_changes", "epochs"}
STATE_MEMBERS |= {"uncosigned_since", "awaited", "proven"}


def read_state(path: str, read_text: Callable[[str], str]) -> Json:
    if not os.path.exists(path):
        return {"format": FORMAT, "logs": [], "reported": []}
    try:
        state = read_json(read_text(path))
        is_state = isinstance(state, dict) and state.get("format") == FORMAT
        if not is_state or not isinstance(state.get("logs"), list) or not isinstance(state.get("reported"), list):
            raise Malformed("it is not of the format")
        for log in state["logs"]:
            if not isinstance(log, dict) or not log.keys() >= STATE_MEMBERS:
                raise Malformed("a log is not of the format")
            read_checkpoint(read_note(log["checkpoint"])[0])
            micros(log["grown_at"])
    except (Malformed, TypeError, KeyError, AttributeError) as reason:
        more = "and was left as it is: restore it from a backup, or name another file"
        raise ValueError(f"{path} is not a state file of this monitor ({reason}), {more}") from None
    return state


@contextlib.contextmanager
def locked(path: str) -> Iterator[None]:
    """Keeps a second monitor of this program away. The one for Node has a lock of its own kind in the same file."""
    with open(path, "ab") as file:
        try:
            import fcntl
        except ImportError:
            yield
            return
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise ValueError(f"another monitor uses {path[: -len('.lock')]}; give this one a file of its own") from None
        yield


def write_durably(path: str, text: str) -> None:
    """After a crash the file is the old or the new one."""
    folder = os.path.dirname(path) or "."
    descriptor, beside = tempfile.mkstemp(dir=folder)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except BaseException:
        os.unlink(beside)
        raise
    if hasattr(os, "O_DIRECTORY"):
        directory = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(directory)
        finally:
            os.close(directory)
