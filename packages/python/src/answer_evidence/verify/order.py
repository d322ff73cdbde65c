"""Whether each leaf of a log is in its place (docs/formats/log.md, "The order of the leaves")."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from .canonical_json import Json
from .cores import micros
from .entry_kinds import PLACES
from .form import format_time

OPENING = ("answer_recorded", "evidence_registered")
OPENED = {"record": "records", "asset": "registers"}
NOUNS = {"log": "a log", "workspace": "the workspace", "record": "a record", "asset": "an asset"}
LISTED_MAX = 3


class Placed(NamedTuple):
    """What the order of a log reads of an entry. `at` is in microseconds since 1970."""

    type: str
    id: str
    subject: str
    seq: int
    at: int


def place(entry: Json) -> Placed:
    return Placed(entry["type"], entry["id"], entry["subject"], entry["seq"], micros(entry["at"]))


class LogOrder:
    """Reads a log leaf by leaf, from the first. A leaf that a copy lacks is None, and may be whatever is missing."""

    def __init__(self) -> None:
        self.size = 0
        self.is_whole = True
        self.last: tuple[int, int] | None = None
        self.workspace: str | None = None
        self.counts: dict[str, int] = {}
        self.ids: set[str] = set()
        # What each id names: "a log", "the workspace", "a record", "an asset".
        self.names: dict[str, str] = {}
        # The seq of the last event of a record.
        self.events: dict[str, int] = {}
        # Records and assets that a leaf was about before they were known, where a leaf that is missing may be theirs.
        self.awaited: set[str] = set()

    def add(self, entry: Placed | None) -> list[str]:
        """Takes in the next leaf, and returns what is wrong with it."""
        leaf, faults = self.size, [] if entry is None else self._faults(entry)
        self.is_whole = self.is_whole and entry is not None
        self.size += 1
        return [f"leaf {leaf} {fault}" for fault in faults]

    def _faults(self, entry: Placed) -> list[str]:
        kind, id_, subject, _, at = entry
        about, _ = PLACES[kind]
        faults = self._time_faults(at)
        if (kind == "genesis") != (self.size == 0):
            faults.append("is a second genesis" if self.size else "is not the genesis of the log")
        if about == "itself" and subject != id_:
            faults.append("has a subject other than its own id")
        if about == "workspace":
            self.workspace = self.workspace or subject
            if subject != self.workspace:
                faults.append("is about another workspace than the leaves before it")
        faults += self._seq_faults(entry)
        if id_ in self.ids:
            is_record = kind == "answer_recorded"
            faults.append("records a record a second time" if is_record else "has the id of an earlier leaf")
        self.ids.add(id_)
        return faults + self._name_faults(entry)

    def _name_faults(self, entry: Placed) -> list[str]:
        """An id names one thing, and what an entry is about is there before it."""
        about, counted = PLACES[entry.type]
        own = "record" if entry.type == "answer_recorded" else "log" if about == "itself" else about
        known = self.names.get(entry.subject)
        is_known = known == NOUNS[own]
        faults = [] if known is None or is_known else [f"has as its subject the id of {known}"]
        if entry.type in OPENING:
            if entry.subject in self.awaited:
                return [*faults, f"comes after a leaf that is about its {own}"]
            if is_known and own == "asset":
                faults.append("registers an asset a second time")
        elif own in OPENED and not is_known:
            if self.is_whole:
                return [*faults, f"is about {NOUNS[own]} that no leaf before it {OPENED[own]}"]
            self.awaited.add(entry.subject)
        self.names.setdefault(entry.subject, NOUNS[own])
        # That no number is 0 is a rule of its own.
        return faults + (
            self._count(self.events, entry.subject, entry.seq) if counted == "record" and entry.seq else []
        )

    def _time_faults(self, at: int) -> list[str]:
        last = self.last
        self.last = (self.size, at)
        # Each leaf takes a microsecond, those that are missing too.
        if last is None or at - last[1] >= self.size - last[0]:
            return []
        return [f"has the time {format_time(at)}, which is not later than {format_time(last[1])} of leaf {last[0]}"]

    def _seq_faults(self, entry: Placed) -> list[str]:
        counted, seq = PLACES[entry.type][1], entry.seq
        if counted == "zero":
            return [f"has the seq {seq}, but its type has 0"] if seq else []
        if counted == "type":
            return self._count(self.counts, entry.type, seq)
        return [] if seq else ["has the seq 0, but its type counts from 1"]

    def _count(self, counts: dict[str, int], key: str, seq: int) -> list[str]:
        last = counts.get(key, 0)
        counts[key] = max(last, seq)
        if seq == last + 1 or (seq > last and not self.is_whole):
            return []
        return [f"has the seq {seq}, but the one before it has {last}"]


def find_fault(entries: Iterable[Json | None]) -> str | None:
    """What is wrong with the order of a whole log."""
    order = LogOrder()
    return describe_faults(order.add(None if entry is None else place(entry)) for entry in entries)


def describe_faults(found: Iterable[list[str]]) -> str | None:
    """One sentence of the faults of leaves: the first ones, and how many more there are."""
    listed: list[str] = []
    total = 0
    for faults in found:
        total += len(faults)
        listed += faults[: LISTED_MAX - len(listed)]
    if not listed:
        return None
    more = f"; and {total - len(listed)} more faults" if total > len(listed) else ""
    return f"the log is out of order: {'; '.join(listed)}{more}"
