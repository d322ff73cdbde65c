"""The requests of the API that this package makes."""

from __future__ import annotations

import base64
import binascii
import io
import json
import mimetypes
import re
import uuid
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote

from .answer import Mask, Text, to_text_or_hash
from .comparing import (
    Differences,
    compare_appended,
    compare_asset,
    compare_created,
    compare_page,
    compare_record,
    compare_retrieved,
    hash_of,
    is_id,
)
from .errors import ConfigurationError, MismatchError
from .files import HashedFile
from .times import as_sent
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
    return Request("POST", RECORDS, content=text.encode(), is_safe=True, compare=partial(compare_created, text))


def reason_headers(reason: str | None, reason_code: str) -> dict[str, str]:
    """Why the texts in a response are read; nothing without a reason. A header has ASCII only."""
    if reason is None:
        return {}
    return {"Service-Reason-Code": reason_code, "Service-Reason": quote(reason, safe="")}


def get_record(record_id: str, reason: str | None = None, reason_code: str = "other") -> Request:
    place = f"{RECORDS}/{quote(record_id, safe='')}"
    headers = reason_headers(reason, reason_code)
    return Request("GET", place, headers=headers, is_safe=True, compare=partial(compare_record, record_id))


class Listing:
    """The pages of a list of records, newest first."""

    def __init__(self, filters: Mapping[str, Any]) -> None:
        self.filters = as_sent(filters)
        self.cursor: str | None = None
        self.last: int | None = None
        self.is_over = False

    def request(self) -> Request:
        """Asks for the next page."""
        query = {**self.filters, "cursor": self.cursor}
        compare = partial(compare_page, self.filters, self.last)
        return Request("GET", RECORDS, query=query, is_safe=True, members=("items", "next_cursor"), compare=compare)

    def take(self, page: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The records of a page."""
        items: list[dict[str, Any]] = page["items"]
        self.last = items[-1].get("ledger", {}).get("leaf_index", self.last) if items else self.last
        self.cursor = page["next_cursor"]
        self.is_over = self.cursor is None
        return items


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
    path, key = f"{RECORDS}/{quote(record_id, safe='')}/events", _key(idempotency_key)
    compare = partial(compare_appended, record_id, body, key)
    return Request("POST", path, body=body, headers=_header(key), is_safe=True, compare=compare)


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
    key, sent = _key(idempotency_key), HashedFile()

    def open_source() -> IO[bytes]:
        return sent.begin(io.BytesIO(source) if isinstance(source, bytes) else open(source, "rb"))

    def compare(found: Differences) -> None:
        own = metadata.get("segments")
        compare_asset(metadata["application_key"], key, metadata.get("name", shown), sent.hash, own and len(own), found)

    form = (json.dumps(metadata), shown, kind, open_source)
    place = _evidence_place(record_id, "upload")
    return Request("POST", place, form=form, headers=_header(key), is_safe=True, compare=compare)


def register(body: Mapping[str, Any], *, record_id: str | None, idempotency_key: str | None) -> Request:
    """Passages, a small content in base64, or a reference to something that lies elsewhere."""
    place, key = _evidence_place(record_id, "register"), _key(idempotency_key)

    def compare(found: Differences) -> None:
        own = body.get("segments")
        content = hash_of(decoded) if (decoded := _decoded(body.get("content_base64"))) is not None else None
        compare_asset(body["application_key"], key, body.get("name"), content, own and len(own), found)
        if body.get("external_uri") is not None and found.at("/external_uri") is not None:
            found.equal("/external_uri", body["external_uri"])

    return Request("POST", place, body=dict(body), headers=_header(key), is_safe=True, compare=compare)


def retrieve(asset_id: str, segment_ids: list[str] | None, purpose: str | None) -> Request:
    """An access, which the service logs: it is not repeated when a response was lost."""
    body = {"segment_ids": segment_ids, "purpose": purpose}
    given = {name: value for name, value in body.items() if value is not None}
    place, members = f"{ASSETS}/{quote(asset_id, safe='')}/retrieve", ("source_ref", "access_event_id")
    return Request(
        "POST", place, body=given, members=members, compare=partial(compare_retrieved, asset_id, segment_ids)
    )


# The header in which a download names its access.
ACCESS_HEADER = "evidence-access-event-id"


def download(asset_id: str, byte_range: tuple[int, int] | None, purpose: str | None, record_id: str | None) -> Request:
    """The original or a part of it: offset and length. An access too."""
    body: dict[str, Any] = {} if purpose is None else {"purpose": purpose}
    if byte_range is not None:
        body["range"] = {"offset": byte_range[0], "length": byte_range[1]}
    asset = quote(asset_id, safe="")
    place = f"{ASSETS}/{asset}" if record_id is None else f"{_evidence_place(record_id, '')}{asset}"
    return Request("POST", f"{place}/download", body=body)


def assert_download(asset_id: str, byte_range: tuple[int, int] | None, headers: Mapping[str, str]) -> None:
    """Raises MismatchError unless the response is about this asset, and no longer than the part that was asked for."""
    fields = []
    # An older service does not name the asset.
    if headers.get("evidence-asset-id", asset_id).lower() != asset_id.lower():
        fields.append("/evidence-asset-id")
    length = headers.get("content-length", "")
    if byte_range is not None and length.isdigit() and int(length) > byte_range[1]:
        fields.append("/content-length")
    if fields:
        raise MismatchError(tuple(fields))


def create_run(body: Mapping[str, Any], idempotency_key: str | None) -> Request:
    """A run, under a key, so that a retry starts no second one."""
    return Request(
        "POST",
        RUNS,
        body=as_sent(body),
        headers=_header(_key(idempotency_key)),
        is_safe=True,
        timeout=RUN_TIMEOUT_SECONDS,
        members=("id", "status"),
        compare=partial(_compare_run, body),
    )


def _compare_run(body: Mapping[str, Any], found: Differences) -> None:
    found.equal("/application_key", body["application_key"])
    for name in ("window_start", "window_end"):
        found.between(f"/{name}", body.get(name), body.get(name))
    if isinstance(body.get("references"), list):
        found.equal("/references", len(body["references"]))


def create_pack(
    record_ids: Iterable[str], withhold_texts: bool, reason: str | None = None, reason_code: str = "other"
) -> Request:
    """A pack is an entry of the log: it is not asked for again when a response was lost."""
    body: dict[str, Any] = {"answer_log_ids": list(record_ids)}
    if withhold_texts:
        body["texts"] = "withheld"
    headers = reason_headers(reason, reason_code)
    return Request("POST", PACKS, body=body, headers=headers, timeout=PACK_TIMEOUT_SECONDS)


def read_pack(pieces: Iterable[bytes], request: Request) -> bytes:
    """The pack, if it has the records that it was asked for. Raises MismatchError."""
    pack = b"".join(pieces)
    asked = request.body["answer_log_ids"]
    missing = [f"/answer_log_ids/{n}" for n, one in enumerate(asked) if one.lower().encode() not in pack]
    if missing:
        raise MismatchError(tuple(missing))
    return pack


def get_run(run_id: str) -> Request:
    def compare(found: Differences) -> None:
        found.require("/id", is_id(found.at("/id"), run_id))

    place = f"{RUNS}/{quote(run_id, safe='')}"
    return Request("GET", place, is_safe=True, members=("id", "status"), compare=compare)


def _evidence_place(record_id: str | None, last: str) -> str:
    return ASSETS if record_id is None else f"{RECORDS}/{quote(record_id, safe='')}/evidence-assets/{last}"


def _decoded(content: Any) -> bytes | None:
    """The bytes of a content; None for what the service will refuse."""
    try:
        return None if content is None else base64.b64decode(content, validate=True)
    except (binascii.Error, ValueError, TypeError):
        return None


def _header(key: str) -> dict[str, str]:
    return {"Idempotency-Key": key}


def _key(given: str | None) -> str:
    key = str(uuid.uuid4()) if given is None else given
    if not re.fullmatch(r"[\x21-\x7e]{1,200}", key):
        raise ConfigurationError("an idempotency key must be 1 to 200 visible ASCII characters")
    return key
