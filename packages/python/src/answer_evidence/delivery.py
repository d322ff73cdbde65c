"""The queue between `record` and the service. Threads send; `record` never waits for the network."""

from __future__ import annotations

import os
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from .errors import QueueError, VerificationError
from .options import QueueLimits
from .queue_store import FolderStore, MemoryItem, QueueItem
from .retry import asked_wait, backoff, is_refused

PAUSE_SECONDS_BASE = 0.5
PAUSE_SECONDS_MAX = 60.0

Send = Callable[[str], "dict[str, Any]"]
Report = Callable[[BaseException], None]


@dataclass(eq=False)
class Entry:
    """An answer that waits or is being sent."""

    item: QueueItem
    characters: int = 0
    recorded: Future[dict[str, Any]] = field(default_factory=Future)


class DeliveryQueue:
    """Sends each answer until the service has it or refuses it for good. After a failure all wait, longer each time."""

    def __init__(self, limits: QueueLimits, send: Send, report: Report, store: FolderStore | None) -> None:
        self.limits, self.send, self.report, self.store = limits, send, report, store
        self._reset()
        _forget_in_children(self)
        for item in [] if store is None else store.recover():
            self._admit(Entry(item))

    def _reset(self) -> None:
        """An empty queue without threads: what a forked child has, whose parent goes on with what was there."""
        self.changed = threading.Condition()
        self.waiting: deque[Entry] = deque()
        self.count = self.characters = self.threads = self.failures = 0
        self.paused_until = 0.0
        self.is_closed = False

    def add(self, text: str) -> Future[dict[str, Any]]:
        """Keeps a request, and sends it later. Raises QueueError where the queue does not hold it."""
        with self.changed:
            while self._is_full(len(text)) and not self.is_closed:
                if self.limits.overflow != "wait":
                    raise QueueError("queue_full", f"the queue is full with {self.count} answers that wait")
                self.changed.wait()
            if self.is_closed:
                raise QueueError("queue_closed", "the answer comes after `close`")
            self.count += 1
            self.characters += len(text)
        try:
            item = MemoryItem(text) if self.store is None else self.store.add(text)
        except BaseException:
            self._release(len(text))
            raise
        entry = Entry(item, len(text))
        with self.changed:
            self._wait_for_thread(entry)
        return entry.recorded

    def flush(self, timeout: float) -> int:
        """Sends what waits, and returns how many answers still wait when all are sent or the time is over."""
        end = time.monotonic() + timeout
        with self.changed:
            self.paused_until = 0.0
            self.changed.notify_all()
            while self.count > 0 and not self.is_closed and (left := end - time.monotonic()) > 0:
                self.changed.wait(left)
            return self.count

    def close(self) -> None:
        """Takes no more answers, and ends the threads. What is in memory is lost, and reported."""
        with self.changed:
            self.is_closed = True
            left = list(self.waiting)
            self.waiting.clear()
            self.changed.notify_all()
        self._abandon(left)

    def _abandon(self, left: list[Entry]) -> None:
        if not left:
            return
        error = QueueError("queue_abandoned", f"{len(left)} answers were not sent before the queue was closed")
        if self.store is None:
            self.report(error)
        for entry in left:
            entry.recorded.set_exception(error)

    def _admit(self, entry: Entry) -> None:
        with self.changed:
            self.count += 1
            self._wait_for_thread(entry)

    def _wait_for_thread(self, entry: Entry) -> None:
        self.waiting.append(entry)
        if self.threads < min(self.limits.concurrency, self.count):
            self.threads += 1
            threading.Thread(target=self._run, name="answer-evidence", daemon=True).start()
        self.changed.notify_all()

    def _is_full(self, characters: int) -> bool:
        most = self.limits.max_characters
        too_long = most is not None and self.characters + characters > most
        return self.count > 0 and (self.count >= self.limits.max or too_long)

    def _run(self) -> None:
        while (entry := self._take()) is not None:
            try:
                self._deliver(entry)
            except Exception as error:  # A folder that became unwritable must not end the thread.
                self._return(entry, error)

    def _take(self) -> Entry | None:
        with self.changed:
            while not self.is_closed:
                pause = self.paused_until - time.monotonic()
                if self.waiting and pause <= 0:
                    return self.waiting.popleft()
                self.changed.wait(pause if self.waiting else None)
            self.threads -= 1
            return None

    def _deliver(self, entry: Entry) -> None:
        try:
            text = entry.item.read()
            record = {} if text is None else self.send(text)
        except Exception as error:
            if isinstance(error, VerificationError):
                entry.item.remove()
            elif is_refused(error) or (isinstance(error, QueueError) and error.code == "queue_damaged"):
                entry.item.reject(str(error))
            else:
                self._return(entry, error)
                return
            self.report(error)
            entry.recorded.set_exception(error)
        else:
            entry.item.remove()
            self.failures = 0
            entry.recorded.set_result(record)
        self._release(entry.characters)

    def _return(self, entry: Entry, error: BaseException) -> None:
        """It waits for another attempt, before all others."""
        if self.is_closed:
            self._abandon([entry])
            return
        with self.changed:
            is_first = self.paused_until <= time.monotonic()
            if is_first:
                self.failures += 1
                wait = backoff(self.failures, PAUSE_SECONDS_BASE, PAUSE_SECONDS_MAX)
                self.paused_until = time.monotonic() + max(wait, min(asked_wait(error), PAUSE_SECONDS_MAX))
            self.waiting.appendleft(entry)
            self.changed.notify_all()
        # What was sent at the same time has failed for the same reason.
        if is_first:
            self.report(error)

    def _release(self, characters: int) -> None:
        with self.changed:
            self.count -= 1
            self.characters -= characters
            self.changed.notify_all()


def _forget_in_children(queue: DeliveryQueue) -> None:
    """A forked child has no threads, and the answers that wait are its parent's to send."""
    if not hasattr(os, "register_at_fork"):
        return
    held = weakref.ref(queue)

    def reset() -> None:
        own = held()
        if own is not None:
            own._reset()

    os.register_at_fork(after_in_child=reset)
