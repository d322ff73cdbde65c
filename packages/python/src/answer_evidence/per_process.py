"""What a process must not share with the one that it was forked from."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Generic, TypeVar

Value = TypeVar("Value")
# A process, told apart from one that had its number before.
Process = tuple[int, int]

_forks = 0


def _count_fork() -> None:
    global _forks
    _forks += 1


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_count_fork)


def this_process() -> Process:
    """The process that this runs in."""
    return os.getpid(), _forks


class PerProcess(Generic[Value]):
    """
    A value of each process of its own: connections, locks, threads. It is made where it is first asked for, which is
    after a fork, and after a library such as gevent has replaced what it is made of. That of the parent stays as it is:
    closing it would write on the parent's connections.
    """

    def __init__(self, make: Callable[[], Value]) -> None:
        self._make = make
        self._made: dict[Process, Value] = {}

    def get(self) -> Value:
        """The value of this process."""
        process = this_process()
        try:
            return self._made[process]
        except KeyError:
            # Of two threads that make one, both get the first.
            return self._made.setdefault(process, self._make())

    def made(self) -> Value | None:
        """The value, if this process has one."""
        return self._made.get(this_process())
