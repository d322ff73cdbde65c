"""The client for programs without an event loop."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from . import calls
from .answer import Text
from .base import FLUSH_SECONDS, EvidenceBase, Record
from .calls import EvidenceSource
from .errors import QueueError, TimeoutError
from .recording import Recording

RUN_SECONDS = 600.0
RUN_POLL_SECONDS = 0.5


class AnswerEvidence(EvidenceBase):
    """
    Records the answers of one application as evidence.

    - `application`: default `ANSWER_EVIDENCE_APPLICATION`. The token must be allowed to record for it.
    - `url`, `token`: default `ANSWER_EVIDENCE_URL`, `ANSWER_EVIDENCE_TOKEN`, then `SERVICE_REGISTRY`, `SERVICE_TOKEN`.
    - `fail`: `open` (default): `record` returns as soon as the answer is in the queue, and later failures go to
      `on_error`. `closed`: `record` returns when the service has recorded the answer, and raises when it has not.
    - `queue`: see `QueueOptions`.
    - `mask`: is given each text and its place, and returns what may leave the process in its place.
    - `on_error` is told what nobody else hears of; default: a warning. `on_recorded` is given each record of the queue.
    - `trust`: the logs and keys that are believed, or the path of a trust file. With it every receipt is verified.
    - `checkpoints`: where the newest verified checkpoint of each log is remembered; default: in memory.
    - `timeout`: limit of one attempt, in seconds.
    - `flush_on_exit`: whether the end of the interpreter waits for the queue, 5 s at most.
    """

    def __enter__(self) -> AnswerEvidence:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def record(self, question: Text, answer: Text, **fields: Any) -> Recording:
        """
        Records an answer, with fields of the API such as `idempotency_key`, `source_refs` and `external_message_id`.
        With `fail="open"` it is in the queue when this returns: on the disk, if the queue has a folder. Raises
        QueueError when the queue does not hold it.
        """
        key, text = self._to_request(question, answer, fields)
        if self.fail == "open":
            return self._enqueue(key, text)
        if self._queue.is_closed:
            raise QueueError("queue_closed", "the answer comes after `close`")
        return Recording.done(key, self._fetch(calls.create_record(text)))

    def correct(
        self, record_id: str, corrected: Text, *, reason: str | None = None, idempotency_key: str | None = None
    ) -> Record:
        """Appends a correction: the corrected answer, as a text, your commitment to it, or both. For managers."""
        payload = calls.correction(corrected, self.mask)
        return self._append(record_id, "correction_appended", reason, payload, idempotency_key)

    def void(self, record_id: str, *, reason: str | None = None, idempotency_key: str | None = None) -> Record:
        """Marks a record as unusable. Nothing is deleted. For managers."""
        return self._append(record_id, "voided", reason, {}, idempotency_key)

    def redact(
        self,
        record_id: str,
        *,
        reason: str | None = None,
        reason_code: str | None = None,
        source_ref_ids: list[str] | None = None,
        idempotency_key: str | None = None,
    ) -> Record:
        """Erases the texts of a record and the evidence that is named. Commitments and history stay. For managers."""
        payload = calls.redaction(reason_code, source_ref_ids)
        return self._append(record_id, "redacted", reason, payload, idempotency_key)

    def get(self, record_id: str, *, reason: str | None = None, reason_code: str = "other") -> Record:
        """
        A record with its texts, events and receipt. `reason`: why a person reads the texts; some workspaces give them
        none without, and the log keeps it for ever.
        """
        return self._fetch(calls.get_record(record_id, reason, reason_code))

    def list(self, **filters: Any) -> Iterator[Record]:
        """Every record of this application that matches, newest first, read page by page. `size` is that of a page."""
        listing = calls.Listing({"application_key": self.application, **filters})
        while not listing.is_over:
            yield from listing.take(self._fetch(listing.request()))

    def upload(
        self,
        source: EvidenceSource,
        *,
        name: str | None = None,
        content_type: str | None = None,
        record_id: str | None = None,
        idempotency_key: str | None = None,
        **metadata: Any,
    ) -> Record:
        """Keeps a file as evidence, streamed: a path, or bytes. With a `record_id` it is put beside that record."""
        whole = {"application_key": self.application, **metadata}
        request = calls.upload(
            source,
            whole,
            name=name,
            content_type=content_type,
            record_id=record_id,
            idempotency_key=idempotency_key,
        )
        return self._fetch(request)

    def register(self, *, record_id: str | None = None, idempotency_key: str | None = None, **body: Any) -> Record:
        """Keeps `segments`, a small `content_base64`, or an `external_uri` of something that lies elsewhere."""
        whole = {"application_key": self.application, **body}
        request = calls.register(whole, record_id=record_id, idempotency_key=idempotency_key)
        return self._fetch(request)

    def retrieve(self, asset_id: str, *, segment_ids: Any = None, purpose: str | None = None) -> Record:
        """Retrieves passages of evidence, which the log shows. In a `scope` it is bound to the answers that follow."""
        return self._bind(self._fetch(calls.retrieve(asset_id, segment_ids, purpose)))

    @contextmanager
    def download(
        self,
        asset_id: str,
        *,
        byte_range: tuple[int, int] | None = None,
        purpose: str | None = None,
        record_id: str | None = None,
    ) -> Iterator[Iterator[bytes]]:
        """The original of an asset or a part of it (offset and length), piece by piece. An access too."""
        with self._transport().open(calls.download(asset_id, byte_range, purpose, record_id)) as response:
            with self._keeping():
                calls.assert_download(asset_id, byte_range, response.headers)
            self._remember_access(response.headers.get(calls.ACCESS_HEADER), f"/{calls.ACCESS_HEADER}")
            yield response.iter_bytes()

    def reconcile(self, *, timeout: float = RUN_SECONDS, idempotency_key: str | None = None, **request: Any) -> Record:
        """Compares your own list of answers with the records, and returns the run when it is over."""
        run = self._fetch(calls.create_run({"application_key": self.application, **request}, idempotency_key))
        end = time.monotonic() + timeout
        while run["status"] in ("queued", "running"):
            if time.monotonic() > end:
                raise TimeoutError(f"the run {run['id']} was not over in {timeout} s: get it later")
            time.sleep(RUN_POLL_SECONDS)
            run = self._fetch(calls.get_run(run["id"]))
        return run

    def pack(
        self,
        record_ids: Iterable[str],
        *,
        withhold_texts: bool = False,
        reason: str | None = None,
        reason_code: str = "other",
    ) -> bytes:
        """
        An evidence pack of up to 200 records: one HTML file that verifies itself offline when it is opened. Each one is
        an entry of the log. `withhold_texts` leaves the texts of question, answer and corrections out; with them, some
        workspaces demand a `reason`. For managers.
        """
        request = calls.create_pack(record_ids, withhold_texts, reason, reason_code)
        with self._transport().open(request) as response, self._keeping():
            return calls.read_pack(response.iter_bytes(), request)

    def close(self, timeout: float = FLUSH_SECONDS) -> int:
        """Takes no more answers, and sends what waits. What is left stays in the folder, or is lost and reported."""
        left = self._close(timeout)
        self._connections.close()
        return left

    def _append(
        self, record_id: str, event_type: str, reason: str | None, payload: Mapping[str, Any], key: str | None
    ) -> Record:
        request = calls.append_event(
            record_id, event_type, reason=reason, payload=payload, idempotency_key=key, mask=self.mask
        )
        return self._fetch(request)
