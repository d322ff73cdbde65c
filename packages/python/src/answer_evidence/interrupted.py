"""Has the main thread of a child of `multiprocessing` notice SIGTERM, whatever it waits for."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable

# A handler in Python runs once the main thread is interrupted. A thread that waits for a lock of `multiprocessing`, is
# woken for it and finds it taken, waits on without noticing a signal of that moment: `Pool.terminate` never returns.
WAKE = getattr(signal, "SIGRTMAX", None)
PAUSE_SECONDS = 0.05
WAKES_MAX = 100
# Their threads are no threads, and what waits in one stops all.
WITHOUT_THREADS = ("gevent", "eventlet")

_wakeup_fd = -1


def interrupt_main_thread(is_noticed: Callable[[], bool]) -> None:
    """From now on the main thread, which calls this, is interrupted by SIGTERM until it has noticed it."""
    global _wakeup_fd
    if WAKE is None or any(name in sys.modules for name in WITHOUT_THREADS):
        return
    if signal.getsignal(WAKE) not in (signal.SIG_DFL, _do_nothing):
        return
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    before = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    if before not in (-1, _wakeup_fd):
        # It is another's, such as that of an event loop, which wakes up by itself.
        signal.set_wakeup_fd(before)
        os.close(reader)
        os.close(writer)
        return
    _wakeup_fd = writer
    signal.signal(WAKE, _do_nothing)
    main = threading.get_ident()
    name = "answer-evidence-signals"
    threading.Thread(target=_run, args=(reader, main, is_noticed), name=name, daemon=True).start()


def _run(reader: int, main: int, is_noticed: Callable[[], bool]) -> None:
    assert WAKE is not None
    pause = threading.Event()
    while numbers := os.read(reader, 64):
        if signal.SIGTERM not in numbers:
            continue
        # A process that was forked from this one may have written, so nothing but a wake follows from it.
        for _ in range(WAKES_MAX):
            if pause.wait(PAUSE_SECONDS) or is_noticed():
                break
            signal.pthread_kill(main, WAKE)


def _do_nothing(*_: object) -> None:
    pass
