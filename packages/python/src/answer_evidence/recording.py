"""What `record` returns."""

from __future__ import annotations

import asyncio
import concurrent.futures
from collections.abc import Callable, Generator
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from .errors import QueueError, TimeoutError
from .per_process import Process, this_process


@dataclass(frozen=True)
class Recording:
    """
    An answer that was handed over. `idempotency_key` makes sending it again harmless. `recorded` settles when the
    service has recorded or refused the answer; `await recording` waits for the record. Nobody has to listen.
    """

    idempotency_key: str
    recorded: Future[dict[str, Any]]
    process: Process = field(default_factory=this_process, repr=False)
    # Why the newest attempt to send it, or one before it, failed.
    last_failure: Callable[[], BaseException | None] = field(default=lambda: None, repr=False, compare=False)

    def __await__(self) -> Generator[Any, None, dict[str, Any]]:
        self._assert_own()
        return asyncio.wrap_future(self.recorded).__await__()

    def result(self, timeout: float | None = None) -> dict[str, Any]:
        """
        Waits for the record. Raises what `recorded` failed with, TimeoutError when the time is over before, which says
        why the newest attempt failed, and QueueError in a process that was forked meanwhile.
        """
        self._assert_own()
        try:
            return self.recorded.result(timeout)
        except concurrent.futures.TimeoutError as error:
            # What `recorded` failed with may be a timeout itself.
            if self.recorded.done():
                raise
            failure = self.last_failure()
            why = "" if failure is None else f"; the newest attempt failed: {failure}"
            message = f"the answer is not recorded after {timeout} s: it stays in the queue{why}"
            raise TimeoutError(message) from (failure or error)

    def _assert_own(self) -> None:
        if self.process != this_process() and not self.recorded.done():
            message = "the answer was handed over before a fork: the parent process sends it, and has the record"
            raise QueueError("queue_forked", message)

    @classmethod
    def done(cls, key: str, record: dict[str, Any]) -> Recording:
        """An answer that is recorded already."""
        recorded: Future[dict[str, Any]] = Future()
        recorded.set_result(record)
        return cls(key, recorded)

    @classmethod
    def failed(cls, key: str, error: BaseException) -> Recording:
        """An answer that will not be recorded."""
        recorded: Future[dict[str, Any]] = Future()
        recorded.set_exception(error)
        return cls(key, recorded)
