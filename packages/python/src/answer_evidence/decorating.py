"""Functions of an application whose result is an answer."""

from __future__ import annotations

import asyncio
import functools
import inspect
from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, cast

from . import scope as scopes
from .answer import Text
from .errors import ConfigurationError, EvidenceError
from .options import Fail
from .parts import EndedBy, ended_by, part_ref

Function = TypeVar("Function", bound=Callable[..., Any])
# Says which text of a result, or of a piece of a streamed one, a person reads.
ReadText = Callable[[Any], str | None]


class Recorder(Protocol):
    """Whom an answer is handed to. `fail`: what a failure to do so does."""

    fail: Fail

    @property
    def may_block(self) -> bool:
        """Whether handing an answer over waits for the network, for room, or for the disk."""

    def observe_answer(self, question: Text, answer: Text, **fields: Any) -> None:
        """Records what a person was answered."""

    def report(self, error: BaseException) -> None:
        """Tells of what nobody else hears of."""

    def do_aside(self, work: Callable[[], None]) -> None:
        """Does what must not be waited for here."""


@dataclass(frozen=True)
class Asked:
    """One call of a function that answers."""

    evidence: Recorder
    question: Any
    scope: scopes.Scope
    read: ReadText | None

    def within(self) -> AbstractContextManager[scopes.Scope]:
        """Runs the function, or a part of a generator: between two parts the variables are those of its caller."""
        return scopes.entered(self.scope)

    def record(self, results: list[Any], by: EndedBy | None = None) -> None:
        """
        Records the answer with what was found on the way to it; as part of an outer answer, if there is one. `by`: who
        ended it before its end.
        """
        try:
            question = _assert_text(self.question, "question")
            texts = results if self.read is None else [self.read(result) for result in results]
            answer = "".join(_assert_text(text, "result") for text in texts)
        except Exception as error:
            if self.evidence.fail == "closed":
                raise
            self.evidence.report(error)
            return
        if question and answer:
            found = self.scope.found()
            if by is not None:
                found["semantic_refs"] = [*found.get("semantic_refs", []), part_ref(by)]
            self.evidence.observe_answer(question, answer, **{**self.scope.fields, **found})

    def leave(self, results: list[Any], by: EndedBy) -> None:
        """The same, where nobody hears of an error."""
        try:
            self.record(results, by)
        except Exception as error:
            self.evidence.report(error)

    async def record_aside(self, results: list[Any]) -> None:
        """The same, without blocking the event loop."""
        if self.evidence.may_block:
            await asyncio.to_thread(self.record, results)
        else:
            self.record(results)


Ask = Callable[[tuple[Any, ...], dict[str, Any]], Asked]


def decorate(
    evidence: Recorder,
    function: Function,
    *,
    question: str | None,
    key: str | None,
    text: ReadText | None,
    fields: Mapping[str, Any],
) -> Function:
    """The function, which records what it returns or yields. Raises ConfigurationError for names that it lacks."""
    signature = inspect.signature(function)
    asks = question or next((name for name in signature.parameters if name not in ("self", "cls")), "question")
    for name in (asks, key):
        if name is not None and name not in signature.parameters:
            raise ConfigurationError(f"the function {function.__name__} has no parameter {name}")

    def ask(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Asked:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        own = {} if key is None else {"idempotency_key": bound.arguments[key]}
        return Asked(evidence, bound.arguments[asks], scopes.Scope({**fields, **own}, is_answer=True), text)

    wrapped: Any = functools.wraps(function)(_wrapper(function)(function, ask))
    return cast(Function, wrapped)


def _wrapper(function: Callable[..., Any]) -> Callable[[Callable[..., Any], Ask], Callable[..., Any]]:
    if inspect.isasyncgenfunction(function):
        return _stream_async
    if inspect.isgeneratorfunction(function):
        return _stream
    return _call_async if inspect.iscoroutinefunction(function) else _call


def _call(function: Callable[..., Any], ask: Ask) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        asked = ask(args, kwargs)
        with asked.within():
            result = function(*args, **kwargs)
        asked.record([result])
        return result

    return call


def _call_async(function: Callable[..., Any], ask: Ask) -> Callable[..., Any]:
    async def call(*args: Any, **kwargs: Any) -> Any:
        asked = ask(args, kwargs)
        with asked.within():
            result = await function(*args, **kwargs)
        await asked.record_aside([result])
        return result

    return call


def _stream(function: Callable[..., Any], ask: Ask) -> Callable[..., Any]:
    def stream(*args: Any, **kwargs: Any) -> Generator[Any, Any, Any]:
        asked, items = ask(args, kwargs), function(*args, **kwargs)
        seen: list[Any] = []
        sent = result = None
        try:
            while True:
                with asked.within():
                    item = items.send(sent)
                seen.append(item)
                sent = yield item
        except StopIteration as end:
            result = end.value
        except BaseException as error:
            # What was yielded before has been read.
            asked.leave(seen, ended_by(error))
            raise
        finally:
            items.close()
        asked.record(seen)
        return result

    return stream


def _stream_async(function: Callable[..., Any], ask: Ask) -> Callable[..., Any]:
    async def stream(*args: Any, **kwargs: Any) -> AsyncGenerator[Any, Any]:
        asked, items = ask(args, kwargs), function(*args, **kwargs)
        seen: list[Any] = []
        sent = None
        try:
            while True:
                with asked.within():
                    item = await items.asend(sent)
                seen.append(item)
                sent = yield item
        except StopAsyncIteration:
            pass
        except BaseException as error:
            by = ended_by(error)
            asked.evidence.do_aside(lambda: asked.leave(seen, by))
            raise
        finally:
            await items.aclose()
        await asked.record_aside(seen)

    return stream


def _assert_text(value: Any, name: str) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    message = f"the {name} of a function that answers is no text: name the parameter, or read the text of a result"
    raise EvidenceError("no_text", message)
