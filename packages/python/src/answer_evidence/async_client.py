"""The client for programs with an event loop."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import Any

from . import calls
from .answer import Text
from .base import FLUSH_SECONDS, EvidenceBase, Record
from .calls import EvidenceSource
from .client import RUN_POLL_SECONDS, RUN_SECONDS
from .errors import QueueError, TimeoutError
from .recording import Recording
from .transport import AsyncTransport, Request


class AsyncAnswerEvidence(EvidenceBase):
    """
    Records the answers of one application as evidence, without blocking the event loop. Options and methods are those
    of `AnswerEvidence`. Each event loop has connections of its own; the queue is sent by threads, and outlives them.
    """

    async def __aenter__(self) -> AsyncAnswerEvidence:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def record(self, question: Text, answer: Text, **fields: Any) -> Recording:
        """Records an answer. See `AnswerEvidence.record`."""
        key, text = self._to_request(question, answer, fields)
        if self.fail == "open":
            # Waiting for room, and for the disk, is not for the event loop.
            return await asyncio.to_thread(self._enqueue, key, text) if self.may_block else self._enqueue(key, text)
        if self._queue.is_closed:
            raise QueueError("queue_closed", "the answer comes after `close`")
        return Recording.done(key, await self._verified(calls.create_record(text)))

    async def correct(
        self, record_id: str, corrected: Text, *, reason: str | None = None, idempotency_key: str | None = None
    ) -> Record:
        """Appends a correction. For managers."""
        payload = calls.correction(corrected, self.mask)
        return await self._append(record_id, "correction_appended", reason, payload, idempotency_key)

    async def void(self, record_id: str, *, reason: str | None = None, idempotency_key: str | None = None) -> Record:
        """Marks a record as unusable. Nothing is deleted. For managers."""
        return await self._append(record_id, "voided", reason, {}, idempotency_key)

    async def redact(
        self,
        record_id: str,
        *,
        reason: str | None = None,
        reason_code: str | None = None,
        source_ref_ids: list[str] | None = None,
        idempotency_key: str | None = None,
    ) -> Record:
        """Erases the texts of a record and the evidence that is named. For managers."""
        payload = calls.redaction(reason_code, source_ref_ids)
        return await self._append(record_id, "redacted", reason, payload, idempotency_key)

    async def get(self, record_id: str, *, reason: str | None = None, reason_code: str = "other") -> Record:
        """
        A record with its texts, events and receipt. `reason`: why a person reads the texts; some workspaces give them
        none without, and the log keeps it for ever.
        """
        return await self._verified(calls.get_record(record_id, reason, reason_code))

    async def list(self, **filters: Any) -> AsyncIterator[Record]:
        """Every record of this application that matches, newest first, read page by page."""
        listing = calls.Listing({"application_key": self.application, **filters})
        while not listing.is_over:
            for item in listing.take(await self._verified(listing.request())):
                yield item

    async def upload(
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
        return await self._verified(request)

    async def register(
        self, *, record_id: str | None = None, idempotency_key: str | None = None, **body: Any
    ) -> Record:
        """Keeps `segments`, a small `content_base64`, or an `external_uri` of something that lies elsewhere."""
        whole = {"application_key": self.application, **body}
        request = calls.register(whole, record_id=record_id, idempotency_key=idempotency_key)
        return await self._verified(request)

    async def retrieve(self, asset_id: str, *, segment_ids: Any = None, purpose: str | None = None) -> Record:
        """Retrieves passages of evidence, which the log shows. In a `scope` it is bound to the answers that follow."""
        return self._bind(await self._verified(calls.retrieve(asset_id, segment_ids, purpose)))

    @asynccontextmanager
    async def download(
        self,
        asset_id: str,
        *,
        byte_range: tuple[int, int] | None = None,
        purpose: str | None = None,
        record_id: str | None = None,
    ) -> AsyncIterator[AsyncIterator[bytes]]:
        """The original of an asset or a part of it (offset and length), piece by piece. An access too."""
        async with self._async_transport().open(calls.download(asset_id, byte_range, purpose, record_id)) as response:
            with self._keeping():
                calls.assert_download(asset_id, byte_range, response.headers)
            self._remember_access(response.headers.get(calls.ACCESS_HEADER), f"/{calls.ACCESS_HEADER}")
            yield response.aiter_bytes()

    async def reconcile(
        self, *, timeout: float = RUN_SECONDS, idempotency_key: str | None = None, **request: Any
    ) -> Record:
        """Compares your own list of answers with the records, and returns the run when it is over."""
        run = await self._verified(calls.create_run({"application_key": self.application, **request}, idempotency_key))
        end = time.monotonic() + timeout
        while run["status"] in ("queued", "running"):
            if time.monotonic() > end:
                raise TimeoutError(f"the run {run['id']} was not over in {timeout} s: get it later")
            await asyncio.sleep(RUN_POLL_SECONDS)
            run = await self._verified(calls.get_run(run["id"]))
        return run

    async def pack(
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
        async with self._async_transport().open(request) as response:
            pieces = [piece async for piece in response.aiter_bytes()]
        with self._keeping():
            return calls.read_pack(pieces, request)

    async def close(self, timeout: float = FLUSH_SECONDS) -> int:
        """Takes no more answers, and sends what waits. What is left stays in the folder, or is lost and reported."""
        left = await asyncio.to_thread(self._close, timeout)
        await self._connections.aclose()
        return left

    async def _append(
        self, record_id: str, event_type: str, reason: str | None, payload: Mapping[str, Any], key: str | None
    ) -> Record:
        request = calls.append_event(
            record_id, event_type, reason=reason, payload=payload, idempotency_key=key, mask=self.mask
        )
        return await self._verified(request)

    async def _verified(self, request: Request) -> Record:
        response = await self._async_transport().fetch(request)
        # What it needs of the log is read without the event loop.
        if self._guard is None:
            return self._accept(request, response)
        return await asyncio.to_thread(self._accept, request, response)

    def _async_transport(self) -> AsyncTransport:
        return AsyncTransport(self._connections.async_client, self.timeout)
