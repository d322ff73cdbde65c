"""Records what the official clients of OpenAI and Anthropic answer, without a change of the code that calls them."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any, TypeVar

from .base import EvidenceBase
from .client import AnswerEvidence
from .errors import ConfigurationError
from .model_calls import KINDS, Answers, ModelCall

Client = TypeVar("Client")

_default: list[AnswerEvidence] = []


def observe(client: Client, evidence: EvidenceBase | None = None) -> Client:
    """
    Records the answers that this client gets from now on: chat completions, responses and messages, streamed or whole,
    parsed or not. A call in which the model only asks for tools is no answer; the call after it is. The client is
    changed in place, and returned. Without `evidence` one is made of the environment.

    Calls through `with_raw_response` and `with_streaming_response` are not recorded.
    """
    home = type(client).__module__.split(".")[0]
    if home not in KINDS:
        raise ConfigurationError("observe takes a client of the packages openai or anthropic, or a subclass of one")
    own = _shared() if evidence is None else evidence
    held: Any = client
    send = held.request
    if inspect.iscoroutinefunction(inspect.unwrap(send)) or inspect.iscoroutinefunction(send):
        held.request = _observe_async(send, own, home)
    else:
        held.request = _observe_sync(send, own, home)
    copy = held.copy
    # Both names make a new client, which is to be observed as well.
    held.copy = held.with_options = lambda *args, **options: observe(copy(*args, **options), own)
    return client


def _shared() -> AnswerEvidence:
    if not _default:
        _default.append(AnswerEvidence())
    return _default[0]


def _observe_sync(send: Callable[..., Any], evidence: EvidenceBase, home: str) -> Callable[..., Any]:
    def request(cast_to: Any, options: Any, *args: Any, **kwargs: Any) -> Any:
        response = send(cast_to, options, *args, **kwargs)
        call = ModelCall.of(home, options)
        if call is None:
            return response
        if not kwargs.get("stream"):
            _record(evidence, call, lambda answers: answers.add_response(response))
        elif hasattr(response, "_iterator"):
            _observe_stream(response, evidence, call)
        return response

    return request


def _observe_async(send: Callable[..., Any], evidence: EvidenceBase, home: str) -> Callable[..., Any]:
    async def request(cast_to: Any, options: Any, *args: Any, **kwargs: Any) -> Any:
        response = await send(cast_to, options, *args, **kwargs)
        call = ModelCall.of(home, options)
        if call is None:
            return response
        if not kwargs.get("stream"):
            await _aside(evidence, lambda: _record(evidence, call, lambda answers: answers.add_response(response)))
        elif hasattr(response, "_iterator"):
            _observe_async_stream(response, evidence, call)
        return response

    return request


class _Seen:
    """The items of a stream so far. They are recorded once: at its end, or where the caller closes it before."""

    def __init__(self, evidence: EvidenceBase, call: ModelCall) -> None:
        self.evidence, self.call = evidence, call
        self.items: list[Any] = []
        self.is_recorded = False

    def record(self) -> None:
        if not self.is_recorded:
            self.is_recorded = True
            _record(self.evidence, self.call, lambda answers: answers.add_stream(self.items))


def _observe_stream(stream: Any, evidence: EvidenceBase, call: ModelCall) -> None:
    seen, items, close = _Seen(evidence, call), stream._iterator, stream.close

    def tee() -> Iterator[Any]:
        for item in items:
            seen.items.append(item)
            yield item
        seen.record()

    def close_and_record() -> None:
        close()
        seen.record()

    stream._iterator, stream.close = tee(), close_and_record


def _observe_async_stream(stream: Any, evidence: EvidenceBase, call: ModelCall) -> None:
    seen, items, close = _Seen(evidence, call), stream._iterator, stream.close

    async def tee() -> AsyncIterator[Any]:
        async for item in items:
            seen.items.append(item)
            yield item
        await _aside(evidence, seen.record)

    async def close_and_record() -> None:
        await close()
        await _aside(evidence, seen.record)

    stream._iterator, stream.close = tee(), close_and_record


async def _aside(evidence: EvidenceBase, work: Callable[[], None]) -> None:
    """Does what may block beside the event loop, and the rest at once."""
    if evidence.may_block:
        await asyncio.to_thread(work)
    else:
        work()


def _record(evidence: EvidenceBase, call: ModelCall, read: Callable[[Answers], None]) -> None:
    try:
        answers = Answers(call)
        read(answers)
        found = answers.found()
    except Exception as error:
        if evidence.fail == "closed":
            raise
        evidence.report(error)
        return
    for question, answer, fields in found:
        evidence.observe_answer(question, answer, **fields)
