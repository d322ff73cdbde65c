"""The requests of the API that this package makes."""

from __future__ import annotations

import io
import json
import mimetypes
import re
import uuid
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote

from .answer import Mask, Text, to_text_or_hash
from .errors import ConfigurationError
from .transport import Request

RECORDS = "/api/answer-audit-logs"
ASSETS = "/api/evidence-assets"
RUNS = "/api/reconciliations/runs"
PACKS = "/api/trust/packs"
RUN_TIMEOUT_SECONDS = 120.0
PACK_TIMEOUT_SECONDS = 120.0

# What can be kept as evidence: the path of a file, or its bytes.
EvidenceSource = str | Path | bytes


def create_record(text: str) -> Request:
    """The JSON carries the idempotency key."""
    return Request("POST", RECORDS, content=text.encode(), is_safe=True)


def get_record(record_id: str) -> Request:
    return Request("GET", f"{RECORDS}/{quote(record_id, safe='')}", is_safe=True)


def list_records(filters: Mapping[str, Any], cursor: str | None) -> Request:
    members = ("items", "next_cursor")
    return Request("GET", RECORDS, query={**filters, "cursor": cursor}, is_safe=True, members=members)


def append_event(
    record_id: str,
    event_type: str,
    *,
    reason: str | None,
    payload: Mapping[str, Any],
    idempotency_key: str | None,
    mask: Mask | None,
) -> Request:
    """A lifecycle event, under the key that is given or a random one."""
    body: dict[str, Any] = {"event_type": event_type}
    if reason is not None:
        body["reason"] = reason if mask is None else mask(reason, "reason")
    if payload:
        body["payload"] = dict(payload)
    path = f"{RECORDS}/{quote(record_id, safe='')}/events"
    return Request("POST", path, body=body, headers=_key(idempotency_key), is_safe=True)


def correction(corrected: Text, mask: Mask | None) -> dict[str, str]:
    """The payload of a correction."""
    given = to_text_or_hash(corrected, "corrected_answer", mask)
    return {f"corrected_answer_{name}": value for name, value in given.items()}


def redaction(reason_code: str | None, source_ref_ids: list[str] | None) -> dict[str, Any]:
    """The payload of a redaction."""
    payload = {"reason_code": reason_code, "redact_source_ref_ids": source_ref_ids}
    return {name: value for name, value in payload.items() if value is not None}


def upload(
    source: EvidenceSource,
    metadata: Mapping[str, Any],
    *,
    name: str | None,
    content_type: str | None,
    record_id: str | None,
    idempotency_key: str | None,
) -> Request:
    """A file as evidence, streamed. It is opened once for each attempt."""
    shown = name or ("evidence" if isinstance(source, bytes) else Path(source).name)
    kind = content_type or mimetypes.guess_type(shown)[0]

    def open_source() -> IO[bytes]:
        return io.BytesIO(source) if isinstance(source, bytes) else Path(source).open("rb")

    form = (json.dumps(metadata), shown, kind, open_source)
    place = _evidence_place(record_id, "upload")
    return Request("POST", place, form=form, headers=_key(idempotency_key), is_safe=True)


def register(body: Mapping[str, Any], *, record_id: str | None, idempotency_key: str | None) -> Request:
    """Passages, a small content in base64, or a reference to something that lies elsewhere."""
    place = _evidence_place(record_id, "register")
    return Request("POST", place, body=dict(body), headers=_key(idempotency_key), is_safe=True)


def retrieve(asset_id: str, segment_ids: list[str] | None, purpose: str | None) -> Request:
    """An access, which the service logs: it is not repeated when a response was lost."""
    body = {"segment_ids": segment_ids, "purpose": purpose}
    given = {name: value for name, value in body.items() if value is not None}
    return Request(
        "POST", f"{ASSETS}/{quote(asset_id, safe='')}/retrieve", body=given, members=("source_ref", "access_event_id")
    )


def download(asset_id: str, byte_range: tuple[int, int] | None, purpose: str | None, record_id: str | None) -> Request:
    """The original or a part of it: offset and length. An access too."""
    body: dict[str, Any] = {} if purpose is None else {"purpose": purpose}
    if byte_range is not None:
        body["range"] = {"offset": byte_range[0], "length": byte_range[1]}
    asset = quote(asset_id, safe="")
    place = f"{ASSETS}/{asset}" if record_id is None else f"{_evidence_place(record_id, '')}{asset}"
    return Request("POST", f"{place}/download", body=body)


def create_run(body: Mapping[str, Any], idempotency_key: str | None) -> Request:
    """A run, under a key, so that a retry starts no second one."""
    return Request(
        "POST",
        RUNS,
        body=dict(body),
        headers=_key(idempotency_key),
        is_safe=True,
        timeout=RUN_TIMEOUT_SECONDS,
        members=("id", "status"),
    )


def create_pack(record_ids: Iterable[str], withhold_texts: bool) -> Request:
    """A pack is an entry of the log: it is not asked for again when a response was lost."""
    body: dict[str, Any] = {"answer_log_ids": list(record_ids)}
    if withhold_texts:
        body["texts"] = "withheld"
    return Request("POST", PACKS, body=body, timeout=PACK_TIMEOUT_SECONDS)


def get_run(run_id: str) -> Request:
    return Request("GET", f"{RUNS}/{quote(run_id, safe='')}", is_safe=True, members=("id", "status"))


def _evidence_place(record_id: str | None, last: str) -> str:
    return ASSETS if record_id is None else f"{RECORDS}/{quote(record_id, safe='')}/evidence-assets/{last}"


def _key(given: str | None) -> dict[str, str]:
    key = str(uuid.uuid4()) if given is None else given
    if not re.fullmatch(r"[\x21-\x7e]{1,200}", key):
        raise ConfigurationError("an idempotency key must be 1 to 200 visible ASCII characters")
    return {"Idempotency-Key": key}
