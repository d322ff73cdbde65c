"""The official clients, against models that are made up here."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from anthropic import Anthropic
from conftest import FakeService, problem
from model_server import Model, completion
from openai import AsyncOpenAI, OpenAI
from pydantic import BaseModel

from answer_evidence import AnswerEvidence, ConfigurationError, observe

Create = Callable[..., AnswerEvidence]
QUESTION: Any = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Open on Sunday?"}]
TOOL: Any = {"type": "function", "function": {"name": "hours", "parameters": {"type": "object", "properties": {}}}}
CALL = {"id": "call_1", "type": "function", "function": {"name": "hours", "arguments": "{}"}}


class Hours(BaseModel):
    """A parsed answer."""

    opens: int


def chunks(deltas: list[dict[str, Any]]) -> list[dict[str, Any]]:
    head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "m-1"}
    return [{**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]


def response(output: list[dict[str, Any]]) -> dict[str, Any]:
    head = {"id": "resp_1", "object": "response", "created_at": 1, "model": "m-1", "status": "completed"}
    return {**head, "output": output, "parallel_tool_calls": True, "tool_choice": "auto", "tools": []}


SAID = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed"}
SPOKEN = {**SAID, "content": [{"type": "output_text", "text": "Yes, from nine.", "annotations": []}]}


@pytest.fixture
def model() -> Iterator[Model]:
    own = Model()
    yield own
    own.close()


@pytest.fixture
def client(model: Model, create: Create) -> Iterator[OpenAI]:
    with OpenAI(api_key="k", base_url=f"{model.url}/v1") as own:
        # What was used before is observed as well.
        assert own.chat.completions is not None
        yield observe(own, create(fail="closed"))


def last(service: FakeService) -> dict[str, Any]:
    return list(service.records.values())[-1]


def test_records_a_chat(client: OpenAI, model: Model, service: FakeService) -> None:
    model.replies = [completion({"content": "Yes, from nine."})]
    shown = client.chat.completions.create(model="m", messages=QUESTION)
    assert shown.choices[0].message.content == "Yes, from nine."
    record = last(service)
    assert (record["question"], record["answer"]) == ({"text": "Open on Sunday?"}, {"text": "Yes, from nine."})
    assert record["external_message_id"] == "chatcmpl-1"
    ref = {"provider": "openai", "operation": "chat", "request_model": "m", "response_model": "m-1"}
    assert record["semantic_refs"] == [{"ref_type": "model", **ref, "finish_reasons": ["stop"]}]


def test_records_the_answer_after_the_tools_and_not_the_call_for_them(
    client: OpenAI, model: Model, service: FakeService
) -> None:
    model.replies = [
        completion({"content": "Let me see", "tool_calls": [CALL]}, "tool_calls"),
        completion({"content": "Yes."}),
    ]
    first = client.chat.completions.create(model="m", messages=QUESTION, tools=[TOOL])
    assert service.answers == []
    tools: Any = [first.choices[0].message, {"role": "tool", "tool_call_id": "call_1", "content": "9 to 5"}]
    client.chat.completions.create(model="m", messages=[*QUESTION, *tools], tools=[TOOL])
    assert service.answers == ["Yes."]
    assert last(service)["question"] == {"text": "Open on Sunday?"}


def test_records_a_streamed_chat_when_it_has_ended(client: OpenAI, model: Model, service: FakeService) -> None:
    model.replies = [chunks([{"role": "assistant"}, {"content": "Yes, "}, {"content": "from nine."}])]
    pieces = []
    for chunk in client.chat.completions.create(model="m", messages=QUESTION, stream=True):
        assert service.answers == []
        pieces.append(chunk.choices[0].delta.content or "")
    assert service.answers == ["".join(pieces)] == ["Yes, from nine."]


def test_records_what_a_person_saw_of_a_stream_that_ended_early(
    client: OpenAI, model: Model, service: FakeService
) -> None:
    model.replies = [chunks([{"content": "Yes, "}, {"content": "from nine."}])]
    stream = client.chat.completions.create(model="m", messages=QUESTION, stream=True)
    for _ in stream:
        break
    stream.close()
    assert service.answers == ["Yes, "]


def test_records_parsed_answers_and_stream_helpers(client: OpenAI, model: Model, service: FakeService) -> None:
    model.replies = [completion({"content": '{"opens": 9}'}), chunks([{"content": "Yes."}])]
    parsed = client.chat.completions.parse(model="m", messages=QUESTION, response_format=Hours)
    assert parsed.choices[0].message.parsed == Hours(opens=9)
    with client.chat.completions.stream(model="m", messages=QUESTION) as stream:
        stream.until_done()
    assert service.answers == ['{"opens": 9}', "Yes."]


def test_records_responses_whole_and_streamed(client: OpenAI, model: Model, service: FakeService) -> None:
    created = {"type": "response.created", "sequence_number": 0, "response": {**response([]), "status": "in_progress"}}
    place = {"item_id": "msg_1", "output_index": 0, "content_index": 0, "sequence_number": 1}
    delta = {"type": "response.output_text.delta", "delta": "Yes, from nine.", "logprobs": [], **place}
    completed = {"type": "response.completed", "sequence_number": 2, "response": response([SPOKEN])}
    call = {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "hours", "arguments": "{}"}
    model.replies = [response([SPOKEN]), [created, delta, completed], response([call])]
    assert client.responses.create(model="m", input="Open on Sunday?").output_text == "Yes, from nine."
    assert len(list(client.responses.create(model="m", input=QUESTION, stream=True))) == 3
    client.responses.create(model="m", input="Open on Sunday?")
    assert service.answers == ["Yes, from nine."] * 2
    assert last(service)["question"] == {"text": "Open on Sunday?"}


def test_observes_a_copy_of_the_client(client: OpenAI, model: Model, service: FakeService) -> None:
    model.replies = [completion({"content": "Yes."})]
    client.with_options(timeout=5).chat.completions.create(model="m", messages=QUESTION)
    assert service.answers == ["Yes."]


def test_records_what_the_asynchronous_client_answers(model: Model, create: Create, service: FakeService) -> None:
    async def use() -> None:
        async with AsyncOpenAI(api_key="k", base_url=f"{model.url}/v1") as own:
            client = observe(own, create(fail="closed"))
            model.replies = [completion({"content": "Yes."}), chunks([{"content": "No."}])]
            await client.chat.completions.create(model="m", messages=QUESTION)
            async for _ in await client.chat.completions.create(model="m", messages=QUESTION, stream=True):
                pass

    asyncio.run(use())
    assert service.answers == ["Yes.", "No."]


def test_records_messages_of_anthropic(model: Model, create: Create, service: FakeService) -> None:
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": "c-1", "stop_sequence": None}
    usage = {"usage": {"input_tokens": 1, "output_tokens": 1}}
    whole = {**message, **usage, "content": [{"type": "text", "text": "Yes."}], "stop_reason": "end_turn"}
    tools = {**whole, "content": [{"type": "tool_use", "id": "t", "name": "hours", "input": {}}]}
    events = [
        {"type": "message_start", "message": {**message, **usage, "content": [], "stop_reason": None}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Yes, from nine."}},
        {"type": "content_block_stop", "index": 0},
        {
            "type": "message_delta",
            "delta": {"stop_reason": "end_turn", "stop_sequence": None},
            "usage": {"output_tokens": 2},
        },
        {"type": "message_stop"},
    ]
    model.replies = [whole, tools, events, events]
    asked: Any = {"model": "c", "max_tokens": 9, "messages": QUESTION[1:]}
    with Anthropic(api_key="k", base_url=model.url) as own:
        client = observe(own, create(fail="closed"))
        client.messages.create(**asked)
        client.messages.create(**asked)
        list(client.messages.create(**asked, stream=True))
        with client.messages.stream(**asked) as stream:
            assert stream.get_final_text() == "Yes, from nine."
    assert service.answers == ["Yes.", "Yes, from nine.", "Yes, from nine."]
    assert last(service)["semantic_refs"][0]["response_model"] == "c-1"


def test_a_service_that_refuses_does_not_disturb_the_application(
    model: Model, create: Create, service: FakeService, errors: list[Exception]
) -> None:
    service.replies = [problem(422, "schema_violation")]
    model.replies = [completion({"content": "Yes."})]
    evidence = create()
    with OpenAI(api_key="k", base_url=f"{model.url}/v1") as own:
        assert observe(own, evidence).chat.completions.create(model="m", messages=QUESTION).choices
    assert evidence.flush(60) == 0
    assert [getattr(error, "code", "") for error in errors] == ["schema_violation"]


def test_takes_only_clients_that_it_knows(create: Create) -> None:
    with pytest.raises(ConfigurationError, match="openai or anthropic"):
        observe(object(), create())
