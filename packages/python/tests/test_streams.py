"""Streams that are left, cancelled or broken, and clients that are wrapped in every way."""

from __future__ import annotations

import asyncio
import copy
import gc
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest
from anthropic import Anthropic, AsyncAnthropic
from conftest import FakeService
from langchain_core.language_models import FakeListChatModel
from langchain_core.messages import AIMessageChunk, BaseMessage
from langchain_core.output_parsers import StrOutputParser
from langchain_core.outputs import ChatGenerationChunk
from langchain_core.prompts import ChatPromptTemplate
from model_server import CUT, HELD, Model, completion
from openai import AsyncOpenAI, OpenAI
from test_observe import SPOKEN, response

from answer_evidence import AnswerEvidence, QueueOptions, observe
from answer_evidence.langchain import EvidenceHandler

Create = Callable[..., AnswerEvidence]
ASKED: Any = [{"role": "user", "content": "Open on Sunday?"}]
CHAT: Any = {"model": "m", "messages": ASKED}
MESSAGE: Any = {"model": "c", "max_tokens": 9, "messages": ASKED}
ERROR = {"type": "error", "error": {"message": "boom", "type": "server_error", "code": "x"}}


def chunk(delta: dict[str, Any], reason: str | None = None) -> dict[str, Any]:
    head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "m-1"}
    return {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}


PLACE = {"item_id": "msg_1", "output_index": 0, "content_index": 0, "sequence_number": 1, "logprobs": []}
EVENTS: dict[str, list[dict[str, Any]]] = {
    "chat": [chunk({"content": "Yes, "}), chunk({"content": "from "}), chunk({"content": "nine."}), chunk({}, "stop")],
    "responses": [
        *({"type": "response.output_text.delta", "delta": text, **PLACE} for text in ("Yes, ", "from ", "nine.")),
        {"type": "response.completed", "sequence_number": 2, "response": response([SPOKEN])},
    ],
    "messages": [
        *(
            {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}}
            for text in ("Yes, ", "from ", "nine.")
        ),
        {
            "type": "message_delta",
            "delta": {"stop_reason": "end_turn", "stop_sequence": None},
            "usage": {"output_tokens": 2},
        },
    ],
}
KINDS = list(EVENTS)
WHOLE: dict[str, dict[str, Any]] = {
    "chat": completion({"content": "Yes, from nine."}),
    "responses": response([SPOKEN]),
    "messages": {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "c-1",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
        "stop_reason": "end_turn",
        "content": [{"type": "text", "text": "Yes, from nine."}],
    },
}


@pytest.fixture
def model() -> Iterator[Model]:
    own = Model()
    yield own
    own.close()


def open_client(kind: str, model: Model, is_async: bool = False) -> Any:
    if kind == "messages":
        return (AsyncAnthropic if is_async else Anthropic)(api_key="k", base_url=model.url, max_retries=0)
    return (AsyncOpenAI if is_async else OpenAI)(api_key="k", base_url=f"{model.url}/v1", max_retries=0)


def resource(client: Any, kind: str) -> Any:
    return client.chat.completions if kind == "chat" else getattr(client, kind)


def arguments(kind: str) -> dict[str, Any]:
    asked = {"chat": CHAT, "responses": {"model": "m", "input": "Open on Sunday?"}, "messages": MESSAGE}
    return dict(asked[kind])


def shown(service: FakeService) -> list[tuple[str, list[str]]]:
    """The texts that were recorded, and by whom each was ended where it is a part."""
    found = []
    for record in service.records.values():
        parts = [ref for ref in record.get("semantic_refs") or [] if ref["ref_type"] == "stream"]
        assert all(part == {"ref_type": "stream", "state": "partial", "ended_by": part["ended_by"]} for part in parts)
        found.append((record["answer"]["text"], [part["ended_by"] for part in parts]))
    return found


class Ends:
    """Ways in which a stream ends before its time."""

    @staticmethod
    def leave(stream: Any) -> None:
        for _ in stream:
            break

    @staticmethod
    def close(stream: Any) -> None:
        next(stream)
        stream.close()

    @staticmethod
    def use(stream: Any) -> None:
        with stream:
            next(iter(stream))

    @staticmethod
    def drop(stream: Any) -> None:
        next(stream)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("fail", ["open", "closed"])
@pytest.mark.parametrize("end", [Ends.leave, Ends.close, Ends.use, Ends.drop])
def test_records_what_was_read_of_a_stream(
    model: Model, create: Create, service: FakeService, kind: str, fail: str, end: Callable[[Any], None]
) -> None:
    model.replies = [EVENTS[kind]]
    evidence = create(fail=fail)
    with open_client(kind, model) as client:
        end(resource(observe(client, evidence), kind).create(**arguments(kind), stream=True))
        gc.collect()
    assert evidence.flush(60) == 0
    assert shown(service) == [("Yes, ", ["caller"])]
    (record,) = service.records.values()
    assert "finish_reasons" not in record["semantic_refs"][0]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("event", [ERROR, CUT])
def test_records_what_came_before_an_error(
    model: Model, create: Create, service: FakeService, kind: str, event: dict[str, Any]
) -> None:
    model.replies = [[*EVENTS[kind][:2], event]] * 2
    evidence = create()
    with open_client(kind, model) as client, pytest.raises(Exception, match=r"boom|peer closed|incomplete|error"):
        list(resource(observe(client, evidence), kind).create(**arguments(kind), stream=True))

    async def use() -> None:
        async with open_client(kind, model, True) as client:
            stream = await resource(observe(client, evidence), kind).create(**arguments(kind), stream=True)
            with pytest.raises(Exception, match=r"boom|peer closed|incomplete|error"):
                async for _ in stream:
                    pass

    asyncio.run(use())
    assert evidence.flush(60) == 0
    assert shown(service) == [("Yes, from ", ["error"])] * 2


def test_a_response_that_failed_keeps_what_it_had_said(model: Model, create: Create, service: FakeService) -> None:
    failed = {**response([]), "status": "failed", "error": {"code": "server_error", "message": "boom"}}
    model.replies = [[EVENTS["responses"][0], {"type": "response.failed", "sequence_number": 2, "response": failed}]]
    with open_client("responses", model) as client:
        list(observe(client, create(fail="closed")).responses.create(**arguments("responses"), stream=True))
    assert shown(service) == [("Yes, ", ["error"])]


def test_a_stream_that_stops_without_an_end_is_a_part(model: Model, create: Create, service: FakeService) -> None:
    model.replies = [EVENTS["chat"][:2], EVENTS["chat"]]
    with open_client("chat", model) as client:
        observe(client, create(fail="closed"))
        for _ in range(2):
            list(client.chat.completions.create(**CHAT, stream=True))
    assert shown(service) == [("Yes, from ", ["error"]), ("Yes, from nine.", [])]


def test_leaving_after_the_end_leaves_nothing_out(model: Model, create: Create, service: FakeService) -> None:
    model.replies = [EVENTS["chat"]]
    with open_client("chat", model) as client:
        observe(client, create(fail="closed"))
        for item in client.chat.completions.create(**CHAT, stream=True):
            if item.choices[0].finish_reason is not None:
                break
    assert shown(service) == [("Yes, from nine.", [])]


def test_what_is_read_after_a_first_look_is_recorded(model: Model, create: Create, service: FakeService) -> None:
    model.replies = [EVENTS["chat"]] * 2
    with open_client("chat", model) as client:
        observe(client, create(fail="closed"))
        stream = client.chat.completions.create(**CHAT, stream=True)
        next(stream)
        assert len(list(stream)) == 3
        assert shown(service) == [("Yes, from nine.", [])]
        stream = client.chat.completions.create(**CHAT, stream=True)
        for _ in stream:
            break
        list(stream)
    assert shown(service)[1:] == [("Yes, ", ["caller"]), ("Yes, from nine.", [])]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("options", [{}, {"fail": "closed"}, {"queue": QueueOptions(overflow="wait")}])
def test_records_what_was_read_in_a_task_that_was_cancelled(
    model: Model, create: Create, service: FakeService, kind: str, options: dict[str, Any]
) -> None:
    model.replies = [[*EVENTS[kind][:2], HELD]] * 2 + [EVENTS[kind]]
    evidence = create(**options)

    async def use() -> None:
        async with open_client(kind, model, True) as client:
            create_one = resource(observe(client, evidence), kind).create

            async def read(seconds: float) -> None:
                count = 0
                async for _ in await create_one(**arguments(kind), stream=True):
                    count += 1
                    if count == 2:
                        begun.set()
                        # Cancelled here, or where the next item is waited for.
                        await asyncio.sleep(seconds)

            for seconds in (0, 60):
                begun = asyncio.Event()
                task = asyncio.create_task(read(seconds))
                await begun.wait()
                await asyncio.sleep(0.05)
                task.cancel()
                await asyncio.wait([task])
            async for _ in await create_one(**arguments(kind), stream=True):
                break

    asyncio.run(use())
    assert evidence.flush(60) == 0
    assert sorted(shown(service)) == [("Yes, ", ["caller"]), *[("Yes, from ", ["caller"])] * 2]


def test_a_stream_belongs_to_the_request_in_which_it_began(model: Model, create: Create, service: FakeService) -> None:
    model.replies = [EVENTS["chat"]]
    with open_client("chat", model) as client:
        evidence = create(fail="closed")
        observe(client, evidence)
        with evidence.scope(idempotency_key="msg-1"):
            stream = client.chat.completions.create(**CHAT, stream=True)
        next(stream)
        del stream
        gc.collect()
    assert list(service.records) == ["msg-1"]


class Own(OpenAI):
    """A client of the application."""


def test_is_recorded_once_however_it_is_wrapped(model: Model, create: Create, service: FakeService) -> None:
    evidence, other = create(fail="closed"), create(fail="closed", environment="other")
    with Own(api_key="k", base_url=f"{model.url}/v1") as client:
        assert observe(observe(client, evidence), evidence) is client and type(client) is Own
        copies = [client, client.with_options(timeout=5), client.copy(), copy.copy(client)]
        copies.append(observe(client.copy(), evidence))
        for one in copies:
            assert type(one) is Own
            service.records.clear()
            model.replies = [WHOLE["chat"], EVENTS["chat"]]
            with evidence.scope(idempotency_key="msg-1"):
                one.chat.completions.create(**CHAT)
            assert list(service.records) == ["msg-1"]
            list(one.chat.completions.create(**CHAT, stream=True))
            assert shown(service) == [("Yes, from nine.", [])] * 2
        service.records.clear()
        model.replies = [WHOLE["chat"]]
        observe(client, other).chat.completions.create(**CHAT)
    assert [record["environment"] for record in service.records.values()] == ["other"]


@pytest.mark.parametrize("kind", KINDS)
def test_records_what_is_parsed_of_raw_responses(model: Model, create: Create, service: FakeService, kind: str) -> None:
    asked = arguments(kind)
    model.replies = [WHOLE[kind]]
    with open_client(kind, model) as client:
        plain = type(resource(client, kind).with_raw_response.create(**asked))
        model.replies = [WHOLE[kind], EVENTS[kind], WHOLE[kind]] * 2
        own = resource(observe(client, create(fail="closed")), kind)
        raw = own.with_raw_response.create(**asked)
        assert type(raw) is plain
        assert raw.parse() is not None and raw.parse() is not None
        assert shown(service) == [("Yes, from nine.", [])]
        list(own.with_raw_response.create(**asked, stream=True).parse())
        with own.with_streaming_response.create(**asked) as streamed:
            assert streamed.parse() is not None and streamed.parse() is not None
    assert shown(service) == [("Yes, from nine.", [])] * 3

    async def use() -> None:
        async with open_client(kind, model, True) as client:
            own = resource(observe(client, create(fail="closed")), kind)
            whole: Any = (await own.with_raw_response.create(**asked)).parse()
            assert (await whole if asyncio.iscoroutine(whole) else whole) is not None
            raw = await own.with_raw_response.create(**asked, stream=True)
            parsed = raw.parse()
            async for _ in await parsed if asyncio.iscoroutine(parsed) else parsed:
                pass
            async with own.with_streaming_response.create(**asked) as streamed:
                assert await streamed.parse() is not None

    asyncio.run(use())
    assert shown(service) == [("Yes, from nine.", [])] * 6


class Speaker(FakeListChatModel):
    """A model that says one word after another, and may break."""

    breaks: bool = False

    def _stream(self, messages: list[BaseMessage], *_: Any, **__: Any) -> Iterator[ChatGenerationChunk]:
        for word in ("Yes, ", "from "):
            yield ChatGenerationChunk(message=AIMessageChunk(content=word))
        if self.breaks:
            raise OSError("no network")
        yield ChatGenerationChunk(message=AIMessageChunk(content="nine."))

    async def _astream(self, messages: list[BaseMessage], *_: Any, **__: Any) -> AsyncIterator[ChatGenerationChunk]:
        for one in self._stream(messages):
            yield one
            await asyncio.sleep(0)


def chains(breaks: bool = False) -> list[Any]:
    model = Speaker(responses=[], breaks=breaks)
    return [
        model,
        ChatPromptTemplate.from_template("{question}") | model,
        ChatPromptTemplate.from_template("{question}") | model | StrOutputParser(),
    ]


@pytest.mark.parametrize("n", range(3))
def test_langchain_records_a_part_of_a_stream(create: Create, service: FakeService, n: int) -> None:
    evidence = create()
    handlers: Any = {"callbacks": [EvidenceHandler(evidence), EvidenceHandler(evidence)]}
    asked: Any = "Open on Sunday?" if n == 0 else {"question": "Open on Sunday?"}
    for _ in chains()[n].stream(asked, handlers):
        break
    with pytest.raises(OSError, match="no network"):
        list(chains(breaks=True)[n].stream(asked, handlers))
    list(chains()[n].stream(asked, handlers))

    async def use() -> None:
        async for _ in chains()[n].astream(asked, handlers):
            break
        with pytest.raises(OSError, match="no network"):
            [one async for one in chains(breaks=True)[n].astream(asked, handlers)]

        async def read() -> None:
            async for _ in chains()[n].astream(asked, handlers):
                begun.set()
                await asyncio.sleep(60)

        begun = asyncio.Event()
        task = asyncio.create_task(read())
        await begun.wait()
        task.cancel()
        await asyncio.wait([task])

    asyncio.run(use())
    assert evidence.flush(60) == 0
    expected = [*[("Yes, ", ["caller"])] * 3, *[("Yes, from ", ["error"])] * 2]
    assert sorted(shown(service)) == [*expected, ("Yes, from nine.", [])]
    (handler, _) = handlers["callbacks"]
    assert (handler.roots, handler.runs) == ({}, {})
