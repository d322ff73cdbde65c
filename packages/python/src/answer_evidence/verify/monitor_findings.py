"""What a look at a log comes to (docs/formats/monitor.md), and the codes of what is wrong."""

from __future__ import annotations

from typing import NamedTuple

from .canonical_json import Json
from .cores import micros
from .notes import read_checkpoint, read_note

EXIT_CODES = {
    "fork": 4,
    "rollback": 5,
    "unknown_key": 6,
    "missing_entry": 7,
    "missing_cosignature": 8,
    "stall": 9,
    "invalid_log": 10,
    "invalid_receipt": 11,
}


class Finding(NamedTuple):
    """Something that is wrong with a log, or with a kept file. `notes`: two signed ones that contradict each other."""

    kind: str
    detail: str
    leaf: str | None = None
    notes: tuple[str, str] | None = None
    prefix: Json | None = None


class Looked(NamedTuple):
    """What a look came to. `log` is what is verified now, None when nothing ever was."""

    log: Json | None
    findings: list[Finding]
    notices: list[str]


def find_stall(log: Json | None, now: int, stall: int | None) -> list[Finding]:
    """Whether a log has not been seen to grow for too long, for whatever reason."""
    if log is None or stall is None or now - micros(log["grown_at"]) < stall:
        return []
    size = read_checkpoint(read_note(log["checkpoint"])[0])[1]
    return [Finding("stall", f"the log has not grown since {log['grown_at']}; it has {size} leaves")]
