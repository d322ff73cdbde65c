"""What both clients share: options, the queue, and the scope of a request."""

from __future__ import annotations

import contextlib
import contextvars
import threading
import time
import uuid
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from . import ends
from . import scope as scopes
from .answer import Mask, Text, format_request, to_request
from .calls import create_record
from .comparing import Differences
from .connections import Connections
from .decorating import Function, ReadText, decorate
from .delivery import DeliveryQueue
from .errors import ConfigurationError, EvidenceError, MismatchError, ProblemError, QueueError
from .options import TIMEOUT_SECONDS, Fail, QueueOptions, read_application, read_host, read_limits
from .queue_store import FolderStore
from .receipts import CheckpointStore, FolderCheckpoints, MemoryCheckpoints, ReceiptGuard, read_trust
from .recording import Recording
from .transport import Request, Transport

NOT_FOUND = 404
FLUSH_SECONDS = 30.0
# So many retrievals are remembered, to notice a response that was given before.
ACCESSES_MAX = 1_000

Record = dict[str, Any]


@dataclass(frozen=True)
class Reports:
    """Whom the application has told us to tell."""

    on_error: Callable[[EvidenceError], None] | None
    on_recorded: Callable[[Record], None] | None


class EvidenceBase:
    """Options and the queue of a client. See `AnswerEvidence`."""

    def __init__(
        self,
        application: str | None = None,
        *,
        environment: str | None = None,
        url: str | None = None,
        token: str | None = None,
        fail: Fail = "open",
        queue: QueueOptions | None = None,
        mask: Mask | None = None,
        on_error: Callable[[EvidenceError], None] | None = None,
        on_recorded: Callable[[Record], None] | None = None,
        trust: dict[str, Any] | str | Path | None = None,
        checkpoints: CheckpointStore | str | Path | None = None,
        timeout: float = TIMEOUT_SECONDS,
        flush_on_exit: bool = True,
        transport: httpx.BaseTransport | None = None,
        async_transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        queue = queue or QueueOptions()
        limits = read_limits(queue, fail)
        self.application = read_application(application)
        self.host = read_host(url, token)
        self.environment, self.fail, self.mask, self.timeout = environment, fail, mask, timeout
        self._overflow = limits.overflow
        self._reports = Reports(on_error, on_recorded)
        self._guard = _guard(trust, checkpoints)
        self._aside: list[threading.Thread] = []
        self._accesses: deque[str] = deque(maxlen=ACCESSES_MAX)
        self._connections = Connections(self.host, transport, async_transport)
        store = None if queue.folder is None else FolderStore(queue.folder)
        self._queue = DeliveryQueue(limits, self._send, self.report, store)
        if flush_on_exit:
            self._queue.send_at_end()

    @property
    def may_block(self) -> bool:
        """Whether handing an answer over waits for the network, for room, or for the disk."""
        is_slow = self.fail == "closed" or self._overflow == "wait" or self._queue.store is not None
        return is_slow or (self._queue.ends_with_process and ends.is_near())

    def _transport(self) -> Transport:
        return Transport(self._connections.client, self.timeout)

    def _to_request(self, question: Text, answer: Text, fields: Mapping[str, Any]) -> tuple[str, str]:
        """The idempotency key and the JSON of an answer, with what the present request has."""
        given = {name: value for name, value in fields.items() if value is not None}
        if self.environment is not None:
            given.setdefault("environment", self.environment)
        whole = scopes.completed(given)
        key = whole.get("idempotency_key") or str(uuid.uuid4())
        return key, format_request(to_request(question, answer, whole, self.application, key, self.mask))

    def _enqueue(self, key: str, text: str) -> Recording:
        try:
            return Recording(key, self._queue.add(text), last_failure=self._queue.last_failure)
        except QueueError as error:
            if error.code != "queue_full" or self._overflow != "drop":
                raise
            self.report(error)
            return Recording.failed(key, error)

    def _send(self, text: str) -> Record:
        request = create_record(text)
        # The queue has patience of its own.
        record = self._accept(request, Transport(self._connections.client, self.timeout, attempts_max=1).fetch(request))
        if self._reports.on_recorded is not None:
            _call(self._reports.on_recorded, record)
        return record

    def _fetch(self, request: Request) -> Record:
        """What the service responds, if it is about what was sent and its receipt holds."""
        return self._accept(request, self._transport().fetch(request))

    def _accept(self, request: Request, response: Record) -> Record:
        """
        The response, if it is about what was sent and its receipt holds. Without `trust` no receipt is verified, and
        nothing is missed that is not there. Raises VerificationError.
        """
        found = Differences(response, is_strict=self._guard is not None)
        request.compare(found)
        with self._keeping():
            found.assert_none()
        # A create that is replayed to a token that may not read has no receipt.
        if self._guard is not None and "receipt" in response:
            self._guard.judge(response, self._read_tile)
        return response

    @contextmanager
    def _keeping(self) -> Iterator[None]:
        """Keeps the evidence of a response that is about something else, where checkpoints are kept."""
        try:
            yield
        except MismatchError as error:
            if self._guard is not None:
                try:
                    self._guard.keep(error)
                except OSError as fault:
                    self.report(fault)
            raise

    def _remember_access(self, access: str | None, pointer: str, entry: str | None = None) -> None:
        """Each retrieval is an access of its own: a second one of the same id is the response to another request."""
        if access is None:
            return
        if access in self._accesses:
            with self._keeping():
                raise MismatchError((pointer,), entry=entry)
        self._accesses.append(access)

    def _bind(self, retrieved: Record) -> Record:
        """Binds evidence that was retrieved to the answers that follow in the present scope."""
        access = retrieved["access_event_id"]
        self._remember_access(access, "/access_event_id", retrieved.get("ledger", {}).get("entry"))
        scope = scopes.present()
        if scope is not None:
            scope.sources.append(retrieved["source_ref"])
            scope.accesses.append(access)
        return retrieved

    def _read_tile(self, path: str) -> bytes | None:
        try:
            return self._transport().send(Request("GET", path, is_safe=True)).content
        except ProblemError as error:
            if error.status == NOT_FOUND:
                return None
            raise

    @contextmanager
    def scope(self, *, question: str | None = None, **fields: Any) -> Iterator[scopes.Scope]:
        """
        Handles one request of the application. The answers recorded in it, by whichever wrapper, have these fields, its
        sources, and the evidence retrieved in it. `question` is what the person asked, where a prompt holds more.
        """
        with scopes.entered(scopes.Scope(fields, question)) as scope:
            yield scope

    def add_sources(self, *sources: Mapping[str, Any]) -> None:
        """Adds sources to the answers that follow in the present scope. Outside of one nothing happens."""
        scope = scopes.present()
        if scope is not None:
            scope.sources.extend(sources)

    def flush(self, timeout: float = FLUSH_SECONDS) -> int:
        """Sends what waits, and returns how many answers still wait when all are sent or the time is over."""
        end = time.monotonic() + timeout
        for thread in self._aside:
            thread.join(max(0.0, end - time.monotonic()))
        return self._queue.flush(max(0.0, end - time.monotonic()))

    def observe_answer(self, question: Text, answer: Text, **fields: Any) -> None:
        """
        For wrappers: records what a person was answered. With `fail="open"` nothing that goes wrong here reaches the
        caller; it is reported.
        """
        try:
            scope = scopes.present()
            if scope is not None and scope.is_answer:
                scope.gather(fields)
                return
            asked = question if scope is None or scope.question is None else scope.question
            key, text = self._to_request(asked, answer, fields)
            if self.fail == "closed":
                self._fetch(create_record(text))
            else:
                self._enqueue(key, text)
        except Exception as error:
            if self.fail == "closed":
                raise
            self.report(error)

    def answer(
        self,
        *,
        question: str | None = None,
        key: str | None = None,
        text: ReadText | None = None,
        **fields: Any,
    ) -> Callable[[Function], Function]:
        """
        Decorates a function whose result is an answer, or a generator that yields one in pieces, asynchronous or not.
        What is retrieved or added as a source in it is bound to the answer; models that answer in it are named there,
        and make no records of their own. A function that raises answers nothing.

        - `question`, `key`: the names of the parameters with the question (default: the first) and with the
          idempotency key.
        - `text`: reads the text that a person sees from a result, or from each piece, that is none itself.
        - `fields`: further fields of each record.
        """
        return lambda function: decorate(self, function, question=question, key=key, text=text, fields=fields)

    def do_aside(self, work: Callable[[], None]) -> None:
        """For wrappers: does what must not be waited for here, and must not be lost. `flush` waits for it."""
        if not self.may_block:
            work()
            return
        thread = threading.Thread(target=contextvars.copy_context().run, args=(work,), name="answer-evidence-aside")
        try:
            thread.start()
        except RuntimeError:
            work()
            return
        self._aside = [*(one for one in self._aside if one.is_alive()), thread]

    def report(self, error: BaseException) -> None:
        """Tells `on_error`, or warns where there is none. Never raises."""
        if not isinstance(error, EvidenceError):
            told = EvidenceError("unexpected", f"an answer was not recorded ({type(error).__name__})")
            told.__cause__ = error
            error = told
        if self._reports.on_error is None:
            _warn(f"{error.code}: {error}")
        else:
            _call(self._reports.on_error, error)

    def _close(self, timeout: float) -> int:
        left = self.flush(timeout)
        self._queue.close()
        return left


def _guard(
    trust: dict[str, Any] | str | Path | None, checkpoints: CheckpointStore | str | Path | None
) -> ReceiptGuard | None:
    if trust is None:
        if checkpoints is not None:
            raise ConfigurationError("checkpoints are remembered of verified receipts only: give the option trust, too")
        return None
    store = FolderCheckpoints(checkpoints) if isinstance(checkpoints, str | Path) else checkpoints
    return ReceiptGuard(read_trust(trust), store or MemoryCheckpoints())


def _call(function: Callable[[Any], None], argument: Any) -> None:
    """Calls a function of the application, whose fault is not to stop the queue."""
    try:
        function(argument)
    except Exception as error:
        _warn(f"a callback of AnswerEvidence raised {type(error).__name__}")


def _warn(message: str) -> None:
    # With warnings as errors, a warning must not end a thread of the queue.
    with contextlib.suppress(RuntimeWarning):
        warnings.warn(f"answer-evidence: {message}", RuntimeWarning, stacklevel=2)
