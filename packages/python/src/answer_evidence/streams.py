"""Streams of the official clients: the same items and types, recorded at their end or where they are left."""

from __future__ import annotations

import asyncio
import contextvars
import weakref
from collections.abc import AsyncIterator, Iterator
from typing import Any

from . import scope as scopes
from .base import EvidenceBase
from .model_calls import Answers, ModelCall
from .parts import EndedBy, ended_by


class Seen:
    """
    The items of a stream so far, which a person may have read. They are recorded at its end, or where it was left. What
    is read after it was left is recorded then, with what came before.
    """

    def __init__(self, evidence: EvidenceBase, call: ModelCall) -> None:
        self.evidence, self.call = evidence, call
        # Where the call was made: a stream may be read, or collected, in another place.
        self.context = contextvars.copy_context()
        self.items: list[Any] = []
        self.recorded = 0

    def record(self, by: EndedBy | None) -> None:
        """Records what was not recorded yet. Raises only with `fail="closed"`."""
        if self.recorded == len(self.items):
            return
        self.recorded = len(self.items)
        try:
            answers = Answers(self.call)
            answers.add_stream(self.items)
            found = answers.found(is_stream=True, by=by)
        except Exception as error:
            if self.evidence.fail == "closed":
                raise
            self.evidence.report(error)
            return
        for question, answer, fields in found:
            if scopes.present() is None:
                self.context.run(self.evidence.observe_answer, question, answer, **fields)
            else:
                self.evidence.observe_answer(question, answer, **fields)

    def leave(self, by: EndedBy) -> None:
        """The same, where nobody hears of an error."""
        try:
            self.record(by)
        except Exception as error:
            self.evidence.report(error)

    def leave_aside(self, by: EndedBy) -> None:
        """The same, without a wait of the event loop, which may have ended."""
        if self.recorded < len(self.items):
            self.evidence.do_aside(lambda: self.leave(by))


class Loop:
    """One loop over a stream. When the loop is left, so is this."""

    def __init__(self, watched: Watched) -> None:
        self.watched = watched

    def __iter__(self) -> Loop:
        return self

    def __next__(self) -> Any:
        return next(self.watched)

    def __del__(self) -> None:
        self.watched.seen.leave("caller")


class Watched:
    """In the place of the iterator of a stream."""

    def __init__(self, items: Iterator[Any], seen: Seen) -> None:
        self.items, self.seen = items, seen

    def __iter__(self) -> Loop:
        return Loop(self)

    def __next__(self) -> Any:
        try:
            item = next(self.items)
        except StopIteration:
            self.seen.record(None)
            raise
        except BaseException as error:
            self.seen.leave(ended_by(error))
            raise
        self.seen.items.append(item)
        return item

    def __getattr__(self, name: str) -> Any:
        return getattr(self.items, name)

    def __del__(self) -> None:
        self.seen.leave("caller")


class AsyncLoop:
    """One loop over an asynchronous stream."""

    def __init__(self, watched: AsyncWatched) -> None:
        self.watched = watched

    def __aiter__(self) -> AsyncLoop:
        return self

    async def __anext__(self) -> Any:
        return await self.watched.__anext__()

    def __del__(self) -> None:
        self.watched.seen.leave_aside("caller")


class AsyncWatched:
    """In the place of the iterator of an asynchronous stream."""

    def __init__(self, items: AsyncIterator[Any], seen: Seen) -> None:
        self.items, self.seen = items, seen

    def __aiter__(self) -> AsyncLoop:
        return AsyncLoop(self)

    async def __anext__(self) -> Any:
        try:
            item = await self.items.__anext__()
        except StopAsyncIteration:
            await _aside(self.seen, None)
            raise
        except BaseException as error:
            # A task that is cancelled must not wait.
            self.seen.leave_aside(ended_by(error))
            raise
        self.seen.items.append(item)
        return item

    def __getattr__(self, name: str) -> Any:
        return getattr(self.items, name)

    def __del__(self) -> None:
        self.seen.leave_aside("caller")


def watch_stream(stream: Any, evidence: EvidenceBase, call: ModelCall) -> None:
    """Has the items of a stream recorded."""
    seen, close = Seen(evidence, call), weakref.WeakMethod(stream.close)

    def close_and_record() -> None:
        own = close()
        if own is not None:
            own()
        seen.record("caller")

    stream._iterator, stream.close = Watched(stream._iterator, seen), close_and_record


def watch_async_stream(stream: Any, evidence: EvidenceBase, call: ModelCall) -> None:
    """Has the items of an asynchronous stream recorded."""
    seen, close = Seen(evidence, call), weakref.WeakMethod(stream.close)

    async def close_and_record() -> None:
        own = close()
        try:
            if own is not None:
                await own()
        except BaseException:
            seen.leave_aside("caller")
            raise
        await _aside(seen, "caller")

    stream._iterator, stream.close = AsyncWatched(stream._iterator, seen), close_and_record


async def _aside(seen: Seen, by: EndedBy | None) -> None:
    """Records: what may block beside the event loop, and the rest at once."""
    if seen.evidence.may_block:
        await asyncio.to_thread(seen.record, by)
    else:
        seen.record(by)
