"""Compares a response with what was asked and sent: a valid receipt may be the receipt of something else."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
from collections.abc import Mapping
from typing import Any

from .errors import MismatchError
from .times import read_time
from .verify.bundle_form import LABELS
from .verify.canonical_json import Malformed
from .verify.notes import read_receipt

# Filters that a member of each record of a list equals.
EQUAL_FILTERS = ("application_key", "environment", "idempotency_key", "status", *LABELS)
MISSING: Any = object()


class Differences:
    """
    The places of a response that are not as they were asked for, as JSON pointers. `is_strict`: a member that is not
    there differs as well.
    """

    def __init__(self, response: Mapping[str, Any], is_strict: bool) -> None:
        self.response, self.is_strict = response, is_strict
        self.fields: dict[str, None] = {}

    def at(self, pointer: str) -> Any:
        """The value at a place; `MISSING` where there is none."""
        value: Any = self.response
        for name in pointer.split("/")[1:]:
            if isinstance(value, list) and name.isdigit() and int(name) < len(value):
                value = value[int(name)]
            elif isinstance(value, Mapping) and name in value:
                value = value[name]
            else:
                return MISSING
        return value

    def add(self, pointer: str) -> None:
        self.fields[pointer] = None

    def equal(self, pointer: str, expected: Any) -> None:
        """Requires this value."""
        self.require(pointer, self.at(pointer) == expected)

    def require(self, pointer: str, holds: bool) -> None:
        """Requires what was found out about the value at a place."""
        if self.is_strict if self.at(pointer) is MISSING else not holds:
            self.add(pointer)

    def entry(self, pointer: str, **expected: Any) -> None:
        """Requires that the entry of the log at a place has these members."""
        text = self.at(f"{pointer}/ledger/entry")
        try:
            entry = {} if text is MISSING else json.loads(text)
        except (TypeError, ValueError):
            entry = None
        holds = isinstance(entry, dict) and all(entry.get(name) == value for name, value in expected.items())
        self.require(f"{pointer}/ledger/entry", holds)

    def commitment(self, pointer: str, sent: Mapping[str, str]) -> None:
        """Requires a commitment to what was sent: `text`, `hash` or both. A keyed one is compared by its form."""
        self.consistent(pointer)
        text, sent_hash = sent.get("text"), sent.get("hash")
        shown = self.at(f"{pointer}/text")
        if text is not None and isinstance(shown, str) and shown != text:
            self.add(f"{pointer}/text")
        given = str(self.at(f"{pointer}/hash"))
        if not given.startswith("hmac-sha256:"):
            expected = hash_of(text.encode("utf-8", "replace")) if text is not None else str(sent_hash).lower()
            self.equal(f"{pointer}/hash", expected)

    def consistent(self, pointer: str) -> None:
        """Requires that a commitment is of a known form, and of the text that is shown beside it."""
        given, key, text = (self.at(f"{pointer}/{name}") for name in ("hash", "hash_key_id", "text"))
        if given is MISSING:
            self.require(f"{pointer}/hash", False)
        elif str(given).startswith("sha256:"):
            self.require(f"{pointer}/hash_key_id", key is None)
            self.require(f"{pointer}/hash", not isinstance(text, str) or given == hash_of(text.encode()))
        else:
            self.require(f"{pointer}/hash", str(given).startswith("hmac-sha256:"))
            self.require(f"{pointer}/hash_key_id", isinstance(key, str) and key != "")

    def record(self) -> None:
        """Requires that the parts of a record belong together: its entry, its texts, its events."""
        record_id, record_hash = self.at("/id"), self.at("/record_hash")
        self.require("/record_hash", isinstance(record_hash, str))
        self.entry("", type="answer_recorded", id=record_id, subject=record_id, hash=record_hash)
        self.receipt()
        for pointer in ("/question", "/answer"):
            self.consistent(pointer)
        events = self.at("/events")
        before = record_hash
        for n in range(len(events) if isinstance(events, list) else 0):
            self.event(f"/events/{n}", record_id)
            self.equal(f"/events/{n}/prev_event_hash", before)
            before = self.at(f"/events/{n}/event_hash")

    def receipt(self) -> None:
        """Requires that the receipt is about the place in the log. One that cannot be read is judged with `trust`."""
        receipt, origin = self.at("/receipt"), self.at("/ledger/origin")
        with contextlib.suppress(Malformed):
            index, _, note = read_receipt(receipt if isinstance(receipt, str) else "")
            is_here = index == self.at("/ledger/leaf_index") and note.split("\n")[0] == origin
            self.require("/receipt", is_here)

    def event(self, pointer: str, record_id: Any) -> None:
        """Requires that an event is one of the record."""
        own = {"id": self.at(f"{pointer}/id"), "hash": self.at(f"{pointer}/event_hash")}
        self.equal(f"{pointer}/answer_log_id", record_id)
        self.entry(pointer, type="lifecycle_event", subject=record_id, **own)

    def segment(self, pointer: str) -> None:
        """Requires that the content of a passage is what its hash commits to. A tombstone has none."""
        salt, text, content = (self.at(f"{pointer}/{name}") for name in ("salt", "text", "content_base64"))
        if text is MISSING and content is MISSING:
            return
        try:
            shown = text.encode() if text is not MISSING else base64.b64decode(content, validate=True)
            salted = b"answer-evidence/segment/v1\n" + bytes.fromhex(salt) + hashlib.sha256(shown).digest()
            self.equal(f"{pointer}/hash", hash_of(salted))
        except (TypeError, ValueError, AttributeError):
            self.require(f"{pointer}/hash", False)

    def between(self, pointer: str, after: Any, before: Any) -> None:
        """Requires a time between two others, as far as these can be read."""
        time, first, last = (read_time(value) for value in (self.at(pointer), after, before))
        if time is not None and ((first is not None and time < first) or (last is not None and time > last)):
            self.add(pointer)

    def assert_none(self) -> None:
        """Raises MismatchError, with what the response shows of the log."""
        if not self.fields:
            return
        receipt, entry = self.at("/receipt"), self.at("/ledger/entry")
        given = None
        if isinstance(receipt, str):
            with contextlib.suppress(Malformed):
                given = read_receipt(receipt)[2]
        raise MismatchError(
            tuple(self.fields),
            entry=entry if isinstance(entry, str) else None,
            receipt=receipt if isinstance(receipt, str) else None,
            given=given,
        )


def hash_of(content: bytes) -> str:
    """A plain commitment."""
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


def is_id(shown: Any, asked: str) -> bool:
    """Whether an id is the one that was asked for. The service writes ids in lower case."""
    return isinstance(shown, str) and shown == asked.lower()


def compare_created(text: str, found: Differences) -> None:
    """A record, with the JSON of its create."""
    sent = json.loads(text)
    found.equal("/application_key", sent["application_key"])
    found.equal("/environment", sent.get("environment") or "production")
    found.equal("/idempotency_key", sent["idempotency_key"])
    for name in LABELS:
        found.equal(f"/{name}", sent.get(name))
    for name in ("question", "answer"):
        found.commitment(f"/{name}", sent[name])
    found.record()


def compare_record(record_id: str, found: Differences) -> None:
    """A record that was asked for."""
    found.require("/id", is_id(found.at("/id"), record_id))
    found.record()


def compare_appended(record_id: str, body: Mapping[str, Any], key: str, found: Differences) -> None:
    """A record, with an event that was sent under a key."""
    compare_record(record_id, found)
    events = found.at("/events")
    if not isinstance(events, list):
        found.require("/events", False)
        return
    keys = [found.at(f"/events/{n}/idempotency_key") for n in range(len(events))]
    if key not in keys:
        found.add(f"/events/{max(len(events) - 1, 0)}/idempotency_key")
        return
    pointer = f"/events/{keys.index(key)}"
    found.equal(f"{pointer}/event_type", body["event_type"])
    if found.at(f"{pointer}/reason") is not None:
        found.equal(f"{pointer}/reason", body.get("reason"))
    payload = body.get("payload") or {}
    names = {"text": "corrected_answer_text", "hash": "corrected_answer_hash"}
    corrected = {name: payload[member] for name, member in names.items() if member in payload}
    if corrected:
        found.commitment(f"{pointer}/corrected_answer", corrected)


def compare_asset(
    application: str, key: str, name: str | None, content_hash: str | None, segments: int | None, found: Differences
) -> None:
    """An asset, with what was kept. What an erasure took may be null."""
    found.equal("/application_key", application)
    found.equal("/idempotency_key", key)
    if name is not None and found.at("/name") is not None:
        found.equal("/name", name)
    if content_hash is not None and found.at("/content_hash") is not None:
        found.equal("/content_hash", content_hash)
    if segments is not None:
        found.equal("/segment_count", segments)
    asset_id, evidence_hash = found.at("/id"), found.at("/evidence_hash")
    found.entry("", type="evidence_registered", subject=asset_id, hash=evidence_hash)


def compare_retrieved(asset_id: str, segment_ids: list[str] | None, found: Differences) -> None:
    """Passages of an asset, and the access that the log shows."""
    access = found.at("/access_event_id")
    asset = asset_id.lower()
    found.equal("/source_ref/evidence_asset_id", asset)
    found.equal("/source_ref/access_event_id", access)
    found.entry("", type="evidence_accessed", id=access, subject=asset)
    segments = found.at("/segments")
    count = len(segments) if isinstance(segments, list) else 0
    if segment_ids is not None:
        shown = {found.at(f"/segments/{n}/segment_id") for n in range(count)}
        found.require("/segments", shown == {one.lower() for one in segment_ids})
    for n in range(count):
        found.segment(f"/segments/{n}")


def compare_page(filters: Mapping[str, Any], last: int | None, found: Differences) -> None:
    """A page of a list, newest first. `last` is the leaf of the last record of the page before."""
    items = found.at("/items")
    for n in range(len(items) if isinstance(items, list) else 0):
        for name in EQUAL_FILTERS:
            if filters.get(name) is not None:
                found.equal(f"/items/{n}/{name}", str(filters[name]))
        found.between(f"/items/{n}/created_at", filters.get("created_after"), filters.get("created_before"))
        leaf = found.at(f"/items/{n}/ledger/leaf_index")
        found.require(f"/items/{n}/ledger/leaf_index", isinstance(leaf, int) and (last is None or leaf < last))
        last = leaf if isinstance(leaf, int) else last
