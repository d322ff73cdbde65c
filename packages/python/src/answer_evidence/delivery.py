"""The queue between `record` and the service. Threads send; `record` never waits for the network."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from . import ends
from .errors import MismatchError, QueueError, VerificationError
from .options import QueueLimits
from .per_process import PerProcess
from .queue_store import FolderStore, MemoryItem, QueueItem
from .retry import asked_wait, backoff, is_refused

PAUSE_SECONDS_BASE = 0.5
PAUSE_SECONDS_MAX = 60.0
# So many times the idle time is waited for a request that is under way.
PATIENCE = 3

Send = Callable[[str], "dict[str, Any]"]
Report = Callable[[BaseException], None]


def _unsettled() -> Future[dict[str, Any]]:
    future: Future[dict[str, Any]] = Future()
    # Who stops waiting for it, such as a task that is cancelled, does not take the answer back.
    future.set_running_or_notify_cancel()
    return future


@dataclass(eq=False)
class Entry:
    """An answer that waits or is being sent."""

    item: QueueItem
    characters: int = 0
    recorded: Future[dict[str, Any]] = field(default_factory=_unsettled)


class Waiting:
    """
    The answers of one process, and the threads that send them. A forked child begins with none: its parent goes on with
    what was there.
    """

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.entries: deque[Entry] = deque()
        self.count = self.characters = self.threads = self.sending = self.failures = 0
        # When the newest answer was recorded or refused.
        self.moved_at = self.paused_until = 0.0
        # Of the newest attempt; none where it succeeded.
        self.last_failure: BaseException | None = None
        # What is lost is reported once.
        self.is_abandoned = False


class DeliveryQueue:
    """Sends each answer until the service has it or refuses it for good. After a failure all wait, longer each time."""

    def __init__(self, limits: QueueLimits, send: Send, report: Report, store: FolderStore | None) -> None:
        self.limits, self.send, self.report, self.store = limits, send, report, store
        self.own = PerProcess(Waiting)
        self.is_closed = self.ends_with_process = False
        for item in [] if store is None else store.recover():
            self._admit(Entry(item))

    def send_at_end(self) -> None:
        """Has what waits sent when the process ends."""
        self.ends_with_process = True
        ends.watch(self)

    def add(self, text: str) -> Future[dict[str, Any]]:
        """Keeps a request, and sends it later. Raises QueueError where the queue does not hold it."""
        own = self.own.get()
        with own.changed:
            while self._is_full(own, len(text)) and not self.is_closed:
                if self.limits.overflow != "wait":
                    raise QueueError("queue_full", f"the queue is full with {own.count} answers that wait")
                own.changed.wait()
            if self.is_closed:
                raise QueueError("queue_closed", "the answer comes after `close`")
            own.count += 1
            own.characters += len(text)
        try:
            item = MemoryItem(text) if self.store is None else self.store.add(text)
        except BaseException:
            self._release(own, len(text))
            raise
        entry = Entry(item, len(text))
        with own.changed:
            self._wait_for_thread(own, entry)
        if self.ends_with_process:
            ends.arm()
            if ends.is_near():
                ends.hurry(self)
        return entry.recorded

    def last_failure(self) -> BaseException | None:
        """Why the newest attempt to send something failed."""
        own = self.own.made()
        return None if own is None else own.last_failure

    def flush(self, timeout: float) -> int:
        """Sends what waits, and returns how many answers still wait when all are sent or the time is over."""
        end = time.monotonic() + timeout
        return self._flush(lambda _: end)

    def flush_while_moving(self, begun: float, idle: float, until: float) -> int:
        """
        The same, where the time is over so long after the newest answer was sent, or three times as long while one is
        being sent.
        """
        return self._flush(
            lambda own: min(until, max(begun, own.moved_at) + idle * (PATIENCE if own.sending > 0 else 1))
        )

    def _flush(self, end: Callable[[Waiting], float]) -> int:
        own = self.own.made()
        if own is None:
            return 0
        with own.changed:
            own.paused_until = 0.0
            own.failures = 0
            own.changed.notify_all()
            while own.count > 0 and not self.is_closed and (left := end(own) - time.monotonic()) > 0:
                pause = own.paused_until - time.monotonic()
                # Where no thread can begin any more, such as at the end of Python 3.12, this one sends.
                if own.threads == 0 and own.entries and pause <= 0:
                    self._send_here(own)
                else:
                    own.changed.wait(left if own.threads else min(left, max(pause, 0.001)))
            return own.count

    def close(self) -> None:
        """Takes no more answers, and ends the threads. What is in memory is lost, and reported."""
        self.is_closed = True
        self._abandon_all(is_over=True)

    def abandon(self) -> None:
        """The process ends. What is in memory is lost, and reported."""
        self._abandon_all(is_over=False)

    def _abandon_all(self, is_over: bool) -> None:
        own = self.own.made()
        if own is None:
            return
        with own.changed:
            left, lost = list(own.entries), len(own.entries) if is_over else own.count
            own.entries.clear()
            own.count -= 0 if is_over else len(left)
            is_told, own.is_abandoned = own.is_abandoned, True
            own.changed.notify_all()
        if lost > 0 and not is_told:
            self._abandon(left, lost)

    def _abandon(self, left: list[Entry], lost: int) -> None:
        error = QueueError("queue_abandoned", f"{lost} answers were not sent before the queue was closed")
        if self.store is None:
            self.report(error)
        for entry in left:
            entry.recorded.set_exception(error)

    def _admit(self, entry: Entry) -> None:
        own = self.own.get()
        with own.changed:
            own.count += 1
            self._wait_for_thread(own, entry)

    def _wait_for_thread(self, own: Waiting, entry: Entry) -> None:
        own.entries.append(entry)
        own.is_abandoned = False
        if own.threads < min(self.limits.concurrency, own.count):
            own.threads += 1
            try:
                threading.Thread(target=self._run, args=(own,), name="answer-evidence", daemon=True).start()
            except RuntimeError:
                own.threads -= 1
        own.changed.notify_all()

    def _is_full(self, own: Waiting, characters: int) -> bool:
        most = self.limits.max_characters
        too_long = most is not None and own.characters + characters > most
        return own.count > 0 and (own.count >= self.limits.max or too_long)

    def _run(self, own: Waiting) -> None:
        while (entry := self._take(own)) is not None:
            self._attempt(own, entry)

    def _attempt(self, own: Waiting, entry: Entry) -> None:
        try:
            self._deliver(own, entry)
        except Exception as error:  # A folder that became unwritable must not end the thread.
            self._return(own, entry, error)
        finally:
            with own.changed:
                own.sending -= 1
                own.changed.notify_all()

    def _send_here(self, own: Waiting) -> None:
        entry = own.entries.popleft()
        own.sending += 1
        own.changed.release()
        try:
            self._attempt(own, entry)
        finally:
            own.changed.acquire()

    def _take(self, own: Waiting) -> Entry | None:
        with own.changed:
            while not self.is_closed:
                pause = own.paused_until - time.monotonic()
                if own.entries and pause <= 0:
                    own.sending += 1
                    return own.entries.popleft()
                own.changed.wait(pause if own.entries else None)
            own.threads -= 1
            return None

    def _deliver(self, own: Waiting, entry: Entry) -> None:
        try:
            text = entry.item.read()
            record = {} if text is None else self.send(text)
        except Exception as error:
            # What the receipt is about was recorded; of a response about something else nobody knows.
            if isinstance(error, VerificationError) and not isinstance(error, MismatchError):
                entry.item.remove()
            elif is_refused(error) or isinstance(error, MismatchError) or _is_over(error):
                entry.item.reject(str(error))
            else:
                self._return(own, entry, error)
                return
            self.report(error)
            entry.recorded.set_exception(error)
        else:
            entry.item.remove()
            own.failures, own.last_failure = 0, None
            entry.recorded.set_result(record)
        self._release(own, entry.characters)

    def _return(self, own: Waiting, entry: Entry, error: BaseException) -> None:
        """It waits for another attempt, before all others."""
        if self.is_closed:
            self._abandon([entry], 1)
            return
        with own.changed:
            own.last_failure = error
            is_first = own.paused_until <= time.monotonic()
            if is_first:
                own.failures += 1
                wait = backoff(own.failures, PAUSE_SECONDS_BASE, PAUSE_SECONDS_MAX)
                own.paused_until = time.monotonic() + max(wait, min(asked_wait(error), PAUSE_SECONDS_MAX))
            own.entries.appendleft(entry)
            own.changed.notify_all()
        # What was sent at the same time has failed for the same reason.
        if is_first:
            self.report(error)

    def _release(self, own: Waiting, characters: int) -> None:
        with own.changed:
            own.count -= 1
            own.characters -= characters
            own.moved_at = time.monotonic()
            own.changed.notify_all()


def _is_over(error: Exception) -> bool:
    return isinstance(error, QueueError) and error.code in ("queue_damaged", "queue_taken")
