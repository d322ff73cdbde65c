"""Query engines, chat engines and agents of LlamaIndex, with models that are made up."""

from __future__ import annotations

import asyncio
import gc
import hashlib
from collections.abc import AsyncIterator, Callable, Iterator
from threading import Event
from typing import Any

import pytest
from conftest import FakeService
from llama_index.core import PromptTemplate
from llama_index.core.agent.workflow import ReActAgent
from llama_index.core.chat_engine import ContextChatEngine, SimpleChatEngine
from llama_index.core.chat_engine.types import BaseChatEngine
from llama_index.core.instrumentation import get_dispatcher
from llama_index.core.llms import ChatMessage, ChatResponse, CompletionResponse, CustomLLM, LLMMetadata
from llama_index.core.llms.callbacks import llm_completion_callback
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
from llama_index.core.tools import FunctionTool
from llama_index.core.workflow import StartEvent, StopEvent, Workflow, step
from pydantic import Field, PrivateAttr

from answer_evidence import AnswerEvidence, ConfigurationError
from answer_evidence.llama_index import CallHandler, observe_llama_index

Create = Callable[..., AnswerEvidence]
ASKED = "Open on Sunday?"

# Its own use of pydantic.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


class Shelf(BaseRetriever):
    """A retriever of one passage."""

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return [NodeWithScore(node=TextNode(text="Nine to five.", metadata={"file_name": "hours.md"}))]


class Parrot(CustomLLM):
    """A model that says what it is told to, word by word where it streams."""

    replies: list[str] = Field(default=["Yes, from nine."])

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata()

    @llm_completion_callback()
    def complete(self, prompt: str, formatted: bool = False, **_: Any) -> CompletionResponse:
        return CompletionResponse(text=self.replies.pop(0) if len(self.replies) > 1 else self.replies[0])

    @llm_completion_callback()
    def stream_complete(self, prompt: str, formatted: bool = False, **_: Any) -> Iterator[CompletionResponse]:
        return pieces(self.replies.pop(0) if len(self.replies) > 1 else self.replies[0])


def pieces(text: str) -> Iterator[CompletionResponse]:
    said = ""
    for word in text.split(" "):
        delta = f" {word}" if said else word
        said += delta
        yield CompletionResponse(text=said, delta=delta)


@pytest.fixture
def evidence(create: Create) -> Iterator[AnswerEvidence]:
    dispatcher = get_dispatcher()
    handlers = (dispatcher.span_handlers, dispatcher.event_handlers)
    dispatcher.span_handlers, dispatcher.event_handlers = [], []
    own = create()
    observe_llama_index(own)
    yield own
    dispatcher.span_handlers, dispatcher.event_handlers = handlers


def only(evidence: AnswerEvidence, service: FakeService) -> dict[str, Any]:
    """The one record; nothing of its request is kept."""
    assert evidence.flush(60) == 0
    (record,) = service.records.values()
    (handler,) = (one for one in get_dispatcher().span_handlers if isinstance(one, CallHandler))
    assert (handler._runs.roots, handler._runs.open) == ({}, {})
    return record


def assert_whole(record: dict[str, Any]) -> None:
    assert (record["question"], record["answer"]) == ({"text": ASKED}, {"text": "Yes, from nine."})
    digest = hashlib.sha256(b"Nine to five.").hexdigest()
    shown = {"source_type": "document", "source_hash": f"sha256:{digest}", "source_name": "hours.md"}
    assert record["source_refs"] == [shown]


def test_records_a_query_with_the_passages_that_were_retrieved(evidence: AnswerEvidence, service: FakeService) -> None:
    RetrieverQueryEngine.from_args(Shelf(), llm=Parrot()).query(ASKED)
    assert_whole(only(evidence, service))


def test_records_a_streamed_query_at_its_end(evidence: AnswerEvidence, service: FakeService) -> None:
    response: Any = RetrieverQueryEngine.from_args(Shelf(), llm=Parrot(), streaming=True).query(ASKED)
    assert service.records == {}
    assert "".join(response.response_gen) == "Yes, from nine."
    assert_whole(only(evidence, service))


def test_records_what_was_read_of_a_stream_that_was_closed(evidence: AnswerEvidence, service: FakeService) -> None:
    response: Any = RetrieverQueryEngine.from_args(Shelf(), llm=Parrot(), streaming=True).query(ASKED)
    next(response.response_gen)
    response.response_gen.close()
    assert only(evidence, service)["answer"] == {"text": "Yes,"}


def test_records_an_asynchronous_query_streamed(evidence: AnswerEvidence, service: FakeService) -> None:
    async def use() -> None:
        response: Any = await RetrieverQueryEngine.from_args(Shelf(), llm=Parrot(), streaming=True).aquery(ASKED)
        assert "".join([text async for text in response.async_response_gen()]) == "Yes, from nine."

    asyncio.run(use())
    assert_whole(only(evidence, service))


@pytest.mark.parametrize("is_streamed", [False, True])
def test_records_a_chat_engine(evidence: AnswerEvidence, service: FakeService, is_streamed: bool) -> None:
    engine = ContextChatEngine.from_defaults(Shelf(), llm=Parrot())
    if is_streamed:
        assert "".join(engine.stream_chat(ASKED).response_gen) == "Yes, from nine."
    else:
        engine.chat(ASKED)
    assert_whole(only(evidence, service))


def test_records_a_chat_engine_that_streams_asynchronously(evidence: AnswerEvidence, service: FakeService) -> None:
    async def use() -> None:
        response = await ContextChatEngine.from_defaults(Shelf(), llm=Parrot()).astream_chat(ASKED)
        assert "".join([text async for text in response.async_response_gen()]) == "Yes, from nine."

    asyncio.run(use())
    assert_whole(only(evidence, service))


def test_records_an_agent_once_with_what_its_tools_retrieved(evidence: AnswerEvidence, service: FakeService) -> None:
    tool = 'Thought: look\nAction: hours\nAction Input: {"day": "Sunday"}\n'

    def hours(day: str) -> str:
        """The hours of a day."""
        return str(RetrieverQueryEngine.from_args(Shelf(), llm=Parrot(replies=["Nine."])).query(day))

    async def use() -> None:
        model = Parrot(replies=[tool, "Thought: done\nAnswer: Yes, from nine."])
        await ReActAgent(tools=[FunctionTool.from_defaults(hours)], llm=model).run(ASKED)

    asyncio.run(use())
    assert_whole(only(evidence, service))


class Support(Workflow):
    """A workflow of the application."""

    @step
    async def answer(self, event: StartEvent) -> StopEvent:
        passages = await Shelf().aretrieve(str(event.question))
        return StopEvent(result="Yes, from nine." if passages else "No.")


def test_records_a_workflow_of_the_application(evidence: AnswerEvidence, service: FakeService) -> None:
    async def use() -> None:
        await Support().run(question=ASKED)

    asyncio.run(use())
    assert_whole(only(evidence, service))


def test_records_a_model_that_is_called_alone(evidence: AnswerEvidence, service: FakeService) -> None:
    messages = [ChatMessage(role="system", content="Be brief."), ChatMessage(role="user", content=ASKED)]
    calls: list[Callable[[], Any]] = [
        lambda: Parrot().complete(ASKED),
        lambda: Parrot().chat(messages),
        lambda: Parrot().predict(PromptTemplate("Open on {day}?"), day="Sunday"),
        lambda: list(Parrot().stream_chat(messages)),
        lambda: list(Parrot().stream_complete(ASKED)),
    ]
    for call in calls:
        call()
        record = only(evidence, service)
        assert (record["question"], record["answer"]) == ({"text": ASKED}, {"text": "Yes, from nine."})
        service.records.clear()


def test_records_no_stream_that_nobody_read(evidence: AnswerEvidence, service: FakeService) -> None:
    stream: Any = Parrot().stream_complete(ASKED)
    del stream
    gc.collect()
    stream = Parrot().stream_complete(ASKED)
    next(stream)
    stream.close()
    assert only(evidence, service)["answer"] == {"text": "Yes,"}


def test_records_nothing_of_a_call_that_failed(evidence: AnswerEvidence, service: FakeService) -> None:
    class Broken(Shelf):
        def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
            raise OSError("no shelf")

    with pytest.raises(OSError, match="no shelf"):
        RetrieverQueryEngine.from_args(Broken(), llm=Parrot()).query(ASKED)
    Shelf().retrieve(ASKED)
    evidence.record("q", "a")
    assert only(evidence, service)["answer"] == {"text": "a"}


def test_refuses_to_promise_what_llama_index_cannot_keep(create: Create) -> None:
    with pytest.raises(ConfigurationError, match="fail open"):
        observe_llama_index(create(fail="closed"))


class Breaking(Parrot):
    """A model whose connection is lost after a word."""

    @llm_completion_callback()
    def stream_complete(self, prompt: str, formatted: bool = False, **_: Any) -> Iterator[CompletionResponse]:
        def broken() -> Iterator[CompletionResponse]:
            yield from list(pieces("Yes, from"))[:1]
            raise OSError("no network")

        return broken()


def part(by: str) -> list[dict[str, str]]:
    return [{"ref_type": "stream", "state": "partial", "ended_by": by}]


def test_marks_what_was_read_of_a_stream_that_was_left_or_broke(evidence: AnswerEvidence, service: FakeService) -> None:
    calls: list[tuple[str, Callable[[], Any]]] = [
        ("caller", lambda: RetrieverQueryEngine.from_args(Shelf(), llm=Parrot(), streaming=True).query(ASKED)),
        ("error", lambda: RetrieverQueryEngine.from_args(Shelf(), llm=Breaking(), streaming=True).query(ASKED)),
        ("caller", lambda: Parrot().stream_complete(ASKED)),
        ("error", lambda: Breaking().stream_complete(ASKED)),
    ]
    for by, call in calls:
        items: Any = call()
        items = getattr(items, "response_gen", items)
        next(items)
        if by == "caller":
            items.close()
        else:
            with pytest.raises(OSError, match="no network"):
                list(items)
        record = only(evidence, service)
        assert (record["answer"], record["semantic_refs"]) == ({"text": "Yes,"}, part(by))
        service.records.clear()


class Gate(Parrot):
    """A model whose connection is lost after as many words as there are, when somebody opens the gate."""

    _opened: Event = PrivateAttr(default_factory=Event)

    @llm_completion_callback()
    def stream_complete(self, prompt: str, formatted: bool = False, **_: Any) -> Iterator[CompletionResponse]:
        def broken() -> Iterator[CompletionResponse]:
            yield from pieces(self.replies[0])
            assert self._opened.wait(10)
            raise OSError("no network")

        return broken()


def engines(model: CustomLLM) -> list[BaseChatEngine]:
    return [SimpleChatEngine.from_defaults(llm=model), ContextChatEngine.from_defaults(Shelf(), llm=model)]


BROKEN = pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")


@BROKEN
@pytest.mark.parametrize("read", [0, 1, 2, 3])
@pytest.mark.parametrize("which", [0, 1])
def test_records_what_was_read_of_a_chat_engine_whose_model_breaks(
    evidence: AnswerEvidence, service: FakeService, which: int, read: int
) -> None:
    model = Gate(replies=["Yes, from nine."])
    response: Any = engines(model)[which].stream_chat(ASKED)
    items = response.response_gen
    text = "".join(next(items) for _ in range(read))
    writer = response.write_response_to_history_thread
    model._opened.set()
    writer.join()
    with pytest.raises(OSError, match="no network"):
        next(items)
    if read == 0:
        evidence.record("q", text)
    record = only(evidence, service)
    assert record["answer"] == {"text": text}
    assert record.get("semantic_refs") == (part("error") if read else None)


@BROKEN
@pytest.mark.parametrize("which", [0, 1])
def test_records_the_same_as_was_read_when_the_model_breaks_at_once(
    evidence: AnswerEvidence, service: FakeService, which: int
) -> None:
    told = set()
    for turn in range(20):
        model = Gate(replies=["Yes, from nine."])
        model._opened.set()
        text = ""
        with pytest.raises(OSError, match="no network"):
            for piece in engines(model)[which].stream_chat(f"{ASKED} {turn}").response_gen:
                text += piece
        if text:
            told.add((f"{ASKED} {turn}", text))
    assert evidence.flush(60) == 0
    assert {(one["question"]["text"], one["answer"]["text"]) for one in service.records.values()} == told
    (handler,) = (one for one in get_dispatcher().span_handlers if isinstance(one, CallHandler))
    assert (handler._runs.roots, handler._runs.open) == ({}, {})


@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize("is_at_once", [False, True])
def test_records_what_was_read_of_a_chat_engine_whose_model_breaks_asynchronously(
    evidence: AnswerEvidence, service: FakeService, which: int, is_at_once: bool
) -> None:
    async def broken() -> AsyncIterator[CompletionResponse]:
        for one in pieces("Yes, from nine."):
            if not is_at_once:
                await asyncio.sleep(0.02)
            yield one
        await asyncio.sleep(0 if is_at_once else 0.02)
        raise OSError("no network")

    async def said() -> AsyncIterator[ChatResponse]:
        async for one in broken():
            yield ChatResponse(message=ChatMessage(role="assistant", content=one.text), delta=one.delta)

    class Slow(Parrot):
        async def astream_chat(self, messages: Any, **_: Any) -> Any:
            return said()

        async def astream_complete(self, prompt: str, formatted: bool = False, **_: Any) -> Any:
            return broken()

    texts = []

    async def use() -> None:
        response = await engines(Slow())[which].astream_chat(ASKED)
        with pytest.raises(OSError, match="no network"):
            async for text in response.async_response_gen():
                texts.append(text)

    asyncio.run(use())
    if not texts:
        evidence.record("q", "")
    assert only(evidence, service)["answer"] == {"text": "".join(texts)}
    assert is_at_once or "".join(texts) == "Yes, from nine."


def test_observed_twice_it_makes_one_record_by_the_newer_client(
    evidence: AnswerEvidence, create: Create, service: FakeService
) -> None:
    newer = create(environment="newer")
    observe_llama_index(newer)
    Parrot().complete(ASKED)
    assert only(newer, service)["environment"] == "newer"
