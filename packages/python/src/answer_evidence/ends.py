"""Sends what waits at each end that a process can notice, as long as it moves."""

from __future__ import annotations

import atexit
import contextlib
import functools
import math
import os
import signal
import sys
import threading
import time
import weakref
from collections.abc import Iterable
from dataclasses import dataclass, field
from types import FrameType
from typing import Any, Protocol

from .interrupted import interrupt_main_thread
from .per_process import PerProcess

# So long after the newest answer that was sent an end waits, three times as long while a request is under way: a slow
# machine or service is waited for, one that is unavailable is not.
IDLE_SECONDS = 5.0
# In all after a signal: those who sent it soon kill.
SIGNALLED_SECONDS = 25.0
# Modules whose children end without `atexit`, and run these finalizers instead.
FINALIZERS = ("multiprocessing.util", "billiard.util")


class Queue(Protocol):
    """What is to be empty at the end."""

    def flush_while_moving(self, begun: float, idle: float, until: float) -> int:
        """Sends what waits, and returns how many still wait when none was sent for so long."""

    def abandon(self) -> None:
        """Reports what is lost."""


@dataclass
class End:
    """Of one process: which of its ends are watched, whether it has come, and how long is waited for sending."""

    watched: set[str] = field(default_factory=set)
    is_near: bool = False
    idle: float = IDLE_SECONDS
    until: float = math.inf


_end = PerProcess(End)
_queues: weakref.WeakSet[Any] = weakref.WeakSet()


def watch(queue: Queue) -> None:
    """Has a queue sent at the end of the process."""
    _watch_exit()
    _queues.add(queue)
    arm()


def arm() -> None:
    """Watches the ends that can come, as far as the modules that bring them are loaded. Asked for each answer."""
    watched = _end.get().watched
    for name in FINALIZERS:
        if name in sys.modules and name not in watched:
            watched.add(name)
            sys.modules[name].Finalize(None, finish, exitpriority=10)
    if "celery.signals" in sys.modules and "celery" not in watched:
        watched.add("celery")
        sys.modules["celery.signals"].worker_process_shutdown.connect(_finish_celery, weak=False)
    if "sigterm" not in watched and threading.current_thread() is threading.main_thread():
        watched.add("sigterm")
        _watch_sigterm()


def is_near() -> bool:
    """Whether nothing later may be noticed: the process ends, or it is the horse of RQ, which ends by `os._exit`."""
    end = _end.made()
    if end is not None and end.is_near:
        return True
    jobs = sys.modules.get("rq.job")
    return jobs is not None and jobs.get_current_job() is not None


def hurry(queue: Queue) -> None:
    """Sends what an answer near the end has brought."""
    _flush([queue])
    if _end.get().is_near:
        queue.abandon()


def finish() -> None:
    """The process ends: sends what waits, and reports what is lost. What is handed over later is sent at once."""
    _end.get().is_near = True
    queues = list(_queues)
    try:
        _flush(queues)
    finally:
        for queue in queues:
            queue.abandon()


@functools.cache
def _watch_exit() -> None:
    atexit.register(finish)


def _finish_celery(**_: Any) -> None:
    finish()


def _flush(queues: Iterable[Queue]) -> None:
    end, begun, left = _end.get(), time.monotonic(), 0
    for queue in queues:
        # Within gevent's hub nothing can wait; what is left is sent by another end.
        with contextlib.suppress(Exception):
            left += queue.flush_while_moving(begun, end.idle, end.until)
    if end.is_near and left > 0:
        end.idle = 0.0


def _watch_sigterm() -> None:
    """Sends before the process is ended by SIGTERM, or before what the application does then."""
    before = signal.getsignal(signal.SIGTERM)
    if getattr(before, "is_of_answer_evidence", False) or not (before is signal.SIG_DFL or callable(before)):
        return

    def end(number: int, frame: FrameType | None) -> None:
        # Whatever the handler before does, the process may be over without a further word: uvicorn raises it again.
        own = _end.get()
        own.is_near = True
        own.until = min(own.until, time.monotonic() + SIGNALLED_SECONDS)
        if callable(before):
            _flush(list(_queues))
            before(number, frame)
        else:
            finish()
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)

    end.is_of_answer_evidence = True  # type: ignore[attr-defined]
    with contextlib.suppress(ValueError):
        signal.signal(signal.SIGTERM, end)
        _notice_sigterm()


def _notice_sigterm(_: object = None) -> None:
    """In a child of `multiprocessing`: has SIGTERM noticed, also where the handler came from the parent."""
    process = sys.modules.get("multiprocessing.process")
    watched = _end.get().watched
    if process is None or process.parent_process() is None or "lost sigterm" in watched:
        return
    if getattr(signal.getsignal(signal.SIGTERM), "is_of_answer_evidence", False):
        watched.add("lost sigterm")
        interrupt_main_thread(is_near)


def _watch_child() -> None:
    """After a fork; what is registered here runs only if `multiprocessing` has made it."""
    util = sys.modules.get("multiprocessing.util")
    if util is not None:
        util.register_after_fork(_end, _notice_sigterm)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_watch_child)
