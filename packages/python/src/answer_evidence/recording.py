"""What `record` returns."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Recording:
    """
    An answer that was handed over. `idempotency_key` makes sending it again harmless. `recorded` settles when the
    service has recorded or refused the answer; `await recording` waits for the record. Nobody has to listen.
    """

    idempotency_key: str
    recorded: Future[dict[str, Any]]

    def __await__(self) -> Generator[Any, None, dict[str, Any]]:
        return asyncio.wrap_future(self.recorded).__await__()

    def result(self, timeout: float | None = None) -> dict[str, Any]:
        """Waits for the record. Raises what `recorded` failed with, and TimeoutError."""
        return self.recorded.result(timeout)

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
