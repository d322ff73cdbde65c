"""Sends what waits at each end that a process can notice, in 5 seconds at most."""

from __future__ import annotations

import atexit
import contextlib
import functools
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

SECONDS = 5.0
# Modules whose children end without `atexit`, and run these finalizers instead.
FINALIZERS = ("multiprocessing.util", "billiard.util")


class Queue(Protocol):
    """What is to be empty at the end."""

    def flush(self, timeout: float) -> int:
        """Sends what waits, and returns how many still wait."""

    def abandon(self) -> None:
        """Reports what is lost."""


@dataclass
class End:
    """Of one process: which of its ends are watched, whether it has come, and the time that is left for sending."""

    watched: set[str] = field(default_factory=set)
    is_near: bool = False
    seconds: float = SECONDS


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
    _flush(queues)
    for queue in queues:
        queue.abandon()


@functools.cache
def _watch_exit() -> None:
    atexit.register(finish)


def _finish_celery(**_: Any) -> None:
    finish()


def _flush(queues: Iterable[Queue]) -> None:
    end, begun = _end.get(), time.monotonic()
    for queue in queues:
        # Within gevent's hub nothing can wait; what is left is sent by another end.
        with contextlib.suppress(Exception):
            queue.flush(max(0.0, begun + end.seconds - time.monotonic()))
    if end.is_near:
        end.seconds = max(0.0, end.seconds - (time.monotonic() - begun))


def _watch_sigterm() -> None:
    """Sends before the process is ended by SIGTERM, or before what the application does then."""
    before = signal.getsignal(signal.SIGTERM)
    if getattr(before, "is_of_answer_evidence", False) or not (before is signal.SIG_DFL or callable(before)):
        return

    def end(number: int, frame: FrameType | None) -> None:
        # Whatever the handler before does, the process may be over without a further word: uvicorn raises it again.
        _end.get().is_near = True
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
