"""Functions whose result is an answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest
from conftest import FakeService, problem
from model_server import Model, completion
from openai import OpenAI

from answer_evidence import AnswerEvidence, ConfigurationError, EvidenceError, ProblemError, observe

Create = Callable[..., AnswerEvidence]


def only(service: FakeService) -> dict[str, Any]:
    (record,) = service.records.values()
    return record


def test_records_what_a_function_returns_with_what_it_found(create: Create, service: FakeService) -> None:
    evidence = create(fail="closed")

    @evidence.answer(question="question", key="message_id", mode="live", source_refs=[{"source_name": "rules.md"}])
    def reply(message_id: str, question: str = "Open?") -> str:
        """Replies."""
        evidence.add_sources({"source_name": "hours.md"})
        return f"Yes, to {question}"

    assert reply("msg-1") == "Yes, to Open?"
    record = only(service)
    assert (record["idempotency_key"], record["mode"]) == ("msg-1", "live")
    assert (record["question"]["text"], record["answer"]["text"]) == ("Open?", "Yes, to Open?")
    assert [ref["source_name"] for ref in record["source_refs"]] == ["rules.md", "hours.md"]
    assert (reply.__name__, reply.__doc__) == ("reply", "Replies.")


def test_a_coroutine_and_its_tasks_are_one_answer(create: Create, service: FakeService) -> None:
    evidence = create(fail="closed")

    async def look(name: str) -> None:
        await asyncio.sleep(0)
        evidence.add_sources({"source_name": name})

    @evidence.answer()
    async def reply(question: str) -> str:
        await asyncio.gather(look("a.md"), look("b.md"))
        return f"Yes, to {question}"

    async def use() -> None:
        await asyncio.gather(reply("Open?"), reply("Closed?"))

    asyncio.run(use())
    assert sorted(service.answers) == ["Yes, to Closed?", "Yes, to Open?"]
    assert {len(record["source_refs"]) for record in service.records.values()} == {2}


class Desk:
    """An application with methods that stream."""

    def __init__(self, evidence: AnswerEvidence) -> None:
        self.stream = evidence.answer(text=lambda piece: piece["text"])(self._stream)
        self.stream_async = evidence.answer()(self._stream_async)
        self.evidence = evidence

    def _stream(self, question: str) -> Iterator[dict[str, Any]]:
        yield {"text": "Yes, "}
        self.evidence.add_sources({"source_name": "hours.md"})
        yield {"text": "from nine."}

    async def _stream_async(self, question: str) -> AsyncIterator[str]:
        yield "Yes, "
        self.evidence.add_sources({"source_name": "hours.md"})
        yield "from nine."


def test_records_a_generator_at_its_end(create: Create, service: FakeService) -> None:
    evidence = create(fail="closed")
    stream = Desk(evidence).stream("Open?")
    next(stream)
    evidence.add_sources({"source_name": "of the caller, who is outside"})
    assert (list(stream), service.answers) == ([{"text": "from nine."}], ["Yes, from nine."])
    assert only(service)["source_refs"] == [{"source_name": "hours.md"}]


def test_records_what_was_read_of_a_generator_that_was_closed(create: Create, service: FakeService) -> None:
    stream: Any = Desk(create(fail="closed")).stream("Open?")
    next(stream)
    stream.close()
    assert service.answers == ["Yes, "]


def test_records_an_asynchronous_generator(create: Create, service: FakeService) -> None:
    desk = Desk(create(fail="closed"))

    async def use() -> None:
        assert "".join([piece async for piece in desk.stream_async("Open?")]) == "Yes, from nine."
        stream: Any = desk.stream_async("Open again?")
        await anext(stream)
        await stream.aclose()

    asyncio.run(use())
    assert service.answers == ["Yes, from nine.", "Yes, "]
    assert [record.get("source_refs") for record in service.records.values()] == [[{"source_name": "hours.md"}], None]


def test_a_generator_gets_what_is_sent_and_returns_what_it_returns(create: Create, service: FakeService) -> None:
    @create(fail="closed").answer()
    def reply(question: str) -> Any:
        heard = yield "Yes"
        yield heard
        return "done"

    def use() -> Any:
        stream = reply("Open?")
        assert (next(stream), stream.send(", from nine.")) == ("Yes", ", from nine.")
        return (yield from stream)

    with pytest.raises(StopIteration) as raised:
        next(use())
    assert (raised.value.value, service.answers) == ("done", ["Yes, from nine."])


def test_models_on_the_way_are_named_and_make_no_records(create: Create, service: FakeService) -> None:
    evidence, model = create(fail="closed"), Model()
    model.replies = [completion({"content": "day: Sunday"}), completion({"content": "Yes."})]
    with OpenAI(api_key="k", base_url=f"{model.url}/v1") as own:
        client = observe(own, evidence)

        def ask(text: str) -> str:
            choice = client.chat.completions.create(model="m", messages=[{"role": "user", "content": text}])
            return choice.choices[0].message.content or ""

        @evidence.answer(question="question")
        def inner(question: str) -> str:
            return ask(question)

        @evidence.answer(key="key")
        def reply(question: str, key: str) -> str:
            evidence.record("a note", "of its own")
            return f"{ask('Which day?')}: {inner(question)}"

        with evidence.scope(session_id_hash="3f9a"):
            reply("Open on Sunday?", "msg-1")
    model.close()
    note, record = service.records.values()
    assert (note["answer"]["text"], note["idempotency_key"]) == ("of its own", "msg-1:1")
    assert (record["answer"]["text"], record["idempotency_key"]) == ("day: Sunday: Yes.", "msg-1")
    assert [ref["response_model"] for ref in record["semantic_refs"]] == ["m-1", "m-1"]
    assert record["session_id_hash"] == "3f9a"


def test_a_function_that_raises_answers_nothing(create: Create, service: FakeService) -> None:
    @create(fail="closed").answer()
    def reply(question: str) -> str:
        raise OSError("no network")

    with pytest.raises(OSError, match="no network"):
        reply("Open?")
    assert service.records == {}


def part(by: str) -> dict[str, str]:
    return {"ref_type": "stream", "state": "partial", "ended_by": by}


def test_records_what_a_generator_that_broke_had_said(create: Create, service: FakeService) -> None:
    evidence = create(fail="closed")

    @evidence.answer()
    def reply(question: str) -> Iterator[str]:
        yield "Yes"
        raise OSError("no network")

    @evidence.answer()
    async def reply_async(question: str) -> AsyncIterator[str]:
        yield "Yes"
        raise OSError("no network")

    async def use() -> None:
        async for _ in reply_async("Open?"):
            pass

    async def cancel() -> None:
        @evidence.answer()
        async def slow(question: str) -> AsyncIterator[str]:
            yield "No"
            await asyncio.sleep(60)

        async def read() -> None:
            async for _ in slow("Open?"):
                begun.set()

        begun = asyncio.Event()
        task = asyncio.create_task(read())
        await begun.wait()
        task.cancel()
        await asyncio.wait([task])

    with pytest.raises(OSError, match="no network"):
        list(reply("Open?"))
    with pytest.raises(OSError, match="no network"):
        asyncio.run(use())
    asyncio.run(cancel())
    assert evidence.flush() == 0
    # Each is sent by whichever thread has room for it.
    assert sorted(service.answers) == ["No", "Yes", "Yes"]
    refs = [record["semantic_refs"] for record in service.records.values()]
    assert refs == [[part("error")], [part("error")], [part("caller")]]


def test_a_failure_reaches_the_caller_only_if_it_is_to(
    create: Create, service: FakeService, errors: list[Exception]
) -> None:
    def reply(question: str) -> Any:
        return 42 if question == "no text" else "Yes."

    assert create().answer()(reply)("no text") == 42
    assert [getattr(error, "code", "") for error in errors] == ["no_text"]
    closed = create(fail="closed").answer()(reply)
    with pytest.raises(EvidenceError, match="no text"):
        closed("no text")
    service.replies = [problem(401, "token_expired")]
    with pytest.raises(ProblemError):
        closed("Open?")


def test_parameters_that_are_named_exist(create: Create) -> None:
    with pytest.raises(ConfigurationError, match="reply has no parameter key"):

        @create().answer(key="key")
        def reply(question: str) -> str:
            return question
