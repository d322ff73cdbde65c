"""Records what the official clients of OpenAI and Anthropic answer, without a change of the code that calls them."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from .base import EvidenceBase
from .client import AnswerEvidence
from .errors import ConfigurationError
from .model_calls import KINDS, Answers, ModelCall
from .streams import watch_async_stream, watch_stream

Client = TypeVar("Client")

_default: list[AnswerEvidence] = []
# The member of a client that is observed: who records what it answers.
OBSERVED = "_answer_evidence"


class Observer:
    """Who records the answers of a client. To observe it again may name another one."""

    def __init__(self, home: str, evidence: EvidenceBase) -> None:
        self.home, self.evidence = home, evidence


def observe(client: Client, evidence: EvidenceBase | None = None) -> Client:
    """
    Records the answers that this client gets from now on: chat completions, responses and messages, streamed or whole,
    parsed or not. A call in which the model only asks for tools is no answer; the call after it is. The client is
    changed in place, and returned; clients of its `copy` and `with_options` are observed as well. Without `evidence`
    one is made of the environment. A client that is observed again is recorded once, by the new `evidence` if given.

    Of `with_raw_response` and `with_streaming_response` what is parsed is recorded, and not what is read as bytes.
    """
    homes = (parent.__module__.split(".")[0] for parent in type(client).__mro__)
    home = next((one for one in homes if one in KINDS), None)
    if home is None:
        raise ConfigurationError("observe takes a client of the packages openai or anthropic, or a subclass of one")
    held: Any = client
    before: Observer | None = vars(held).get(OBSERVED)
    if before is not None:
        before.evidence = evidence or before.evidence
        return client
    observer = Observer(home, _shared() if evidence is None else evidence)
    setattr(held, OBSERVED, observer)
    send = held.request
    is_async = inspect.iscoroutinefunction(inspect.unwrap(send)) or inspect.iscoroutinefunction(send)
    held.request = _observe_async(send, observer) if is_async else _observe_sync(send, observer)
    copy = held.copy
    # Both names make a new client, which is to be observed as well.
    held.copy = held.with_options = lambda *args, **options: observe(copy(*args, **options), observer.evidence)
    return client


def _shared() -> AnswerEvidence:
    if not _default:
        _default.append(AnswerEvidence())
    return _default[0]


def _observe_sync(send: Callable[..., Any], observer: Observer) -> Callable[..., Any]:
    def request(cast_to: Any, options: Any, *args: Any, **kwargs: Any) -> Any:
        response, evidence = send(cast_to, options, *args, **kwargs), observer.evidence
        call = ModelCall.of(observer.home, options)
        if call is None:
            return response

        def see(result: Any) -> None:
            if hasattr(result, "_iterator"):
                watch_stream(result, evidence, call)
            elif not kwargs.get("stream"):
                _record(evidence, call, result)

        if _is_raw(response, observer.home):
            _watch_parse(response, see, is_read=_is_legacy(response) and not kwargs.get("stream"))
        else:
            see(response)
        return response

    return request


def _observe_async(send: Callable[..., Any], observer: Observer) -> Callable[..., Any]:
    async def request(cast_to: Any, options: Any, *args: Any, **kwargs: Any) -> Any:
        response, evidence = await send(cast_to, options, *args, **kwargs), observer.evidence
        call = ModelCall.of(observer.home, options)
        if call is None:
            return response

        async def see(result: Any) -> None:
            if hasattr(result, "_iterator"):
                watch_async_stream(result, evidence, call)
            elif not kwargs.get("stream"):
                if evidence.may_block:
                    await asyncio.to_thread(_record, evidence, call, result)
                else:
                    _record(evidence, call, result)

        if not _is_raw(response, observer.home):
            await see(response)
        elif not _is_legacy(response):
            _watch_async_parse(response, see)
        elif kwargs.get("stream"):
            _watch_parse(response, lambda result: watch_async_stream(result, evidence, call), is_read=False)
        else:
            await see(response.parse())
        return response

    return request


def _is_raw(response: Any, home: str) -> bool:
    """Whether it is the response of HTTP, which the caller parses."""
    modules = (f"{home}._response", f"{home}._legacy_response")
    return any(parent.__module__ in modules for parent in type(response).__mro__)


def _is_legacy(response: Any) -> bool:
    """That of `with_raw_response`: its body has been read, unless it is streamed."""
    return "Legacy" in type(response).__name__ or not hasattr(response, "iter_bytes")


def _watch_parse(response: Any, see: Callable[[Any], None], is_read: bool) -> None:
    if is_read:
        see(response.parse())
        return
    parse, seen = response.parse, set[int]()

    def parse_and_see(*args: Any, **kwargs: Any) -> Any:
        result = parse(*args, **kwargs)
        if not seen:
            seen.add(id(result))
            see(result)
        return result

    response.parse = parse_and_see


def _watch_async_parse(response: Any, see: Callable[[Any], Awaitable[None]]) -> None:
    parse, seen = response.parse, set[int]()

    async def parse_and_see(*args: Any, **kwargs: Any) -> Any:
        result = await parse(*args, **kwargs)
        if not seen:
            seen.add(id(result))
            await see(result)
        return result

    response.parse = parse_and_see


def _record(evidence: EvidenceBase, call: ModelCall, response: Any) -> None:
    answers = Answers(call)
    try:
        answers.add_response(response)
    except Exception as error:
        if evidence.fail == "closed":
            raise
        evidence.report(error)
        return
    for question, answer, fields in answers.found():
        evidence.observe_answer(question, answer, **fields)
