"""What models cite, through the official clients."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest
from anthropic import Anthropic
from conftest import FakeService
from model_server import Model, completion
from openai import OpenAI

from answer_evidence import AnswerEvidence, observe
from answer_evidence.sources import cited_sources

Create = Callable[..., AnswerEvidence]
ASKED: Any = [{"role": "user", "content": "How long can I return a jacket?"}]
PAGE = {"title": "Returns", "url": "https://ada:secret@shop.example/returns?utm_source=model#top"}
RETURNS = {"source_type": "cited_document", "source_name": "Returns", "source_uri": "https://shop.example/returns"}
FILE = {"type": "file_citation", "file_id": "file-1", "filename": "terms.pdf", "index": 3}
TERMS = {"source_type": "cited_document", "source_name": "terms.pdf", "document_id": "file-1"}


@pytest.fixture
def model() -> Iterator[Model]:
    own = Model()
    yield own
    own.close()


def sources(service: FakeService, returned: Any, is_stream: bool) -> Any:
    if is_stream:
        assert isinstance(returned, Iterable) and list(returned)
    (record,) = service.records.values()
    assert record["answer"] == {"text": "Thirty days."}
    return record["source_refs"]


@pytest.mark.parametrize("is_stream", [False, True])
def test_chat_completions(model: Model, create: Create, service: FakeService, is_stream: bool) -> None:
    annotations = [{"type": "url_citation", "url_citation": {**PAGE, "start_index": n, "end_index": 9}} for n in (1, 2)]
    head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "m-1"}
    deltas: list[dict[str, Any]] = [{"content": "Thirty "}, {"content": "days."}, {"annotations": annotations}]
    events = [{**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    model.replies = [events if is_stream else completion({"content": "Thirty days.", "annotations": annotations})]
    with OpenAI(api_key="k", base_url=f"{model.url}/v1") as own:
        client: Any = observe(own, create(fail="closed"))
        returned = client.chat.completions.create(model="m", messages=ASKED, stream=is_stream)
        assert sources(service, returned, is_stream) == [RETURNS]


@pytest.mark.parametrize("reply", ["whole", "streamed", "cut"])
def test_responses(model: Model, create: Create, service: FakeService, reply: str) -> None:
    made = {"type": "file_path", "file_id": "made-by-the-model", "index": 1}
    annotations = [{"type": "url_citation", **PAGE, "start_index": 1, "end_index": 9}, FILE, made]
    said = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed"}
    content = [{"type": "output_text", "text": "Thirty days.", "annotations": annotations}]
    action = {"type": "search", "query": "q", "sources": [{"type": "url", "url": "https://a.example"}]}
    search = {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": action}
    results = [{"file_id": "file-2", "filename": "old.pdf", "text": "t", "score": 1}]
    found = {"type": "file_search_call", "id": "fs_1", "status": "completed", "queries": ["q"], "results": results}
    head = {"id": "resp_1", "object": "response", "created_at": 1, "model": "m-1", "status": "completed"}
    whole = {**head, "output": [search, found, {**said, "content": content}], "tools": [], "tool_choice": "auto"}
    at = {"item_id": "msg_1", "output_index": 0, "content_index": 0, "sequence_number": 1}
    added = "response.output_text.annotation.added"
    events: list[dict[str, Any]] = [
        {"type": "response.output_text.delta", **at, "delta": "Thirty days.", "logprobs": []},
        *({"type": added, **at, "annotation_index": n, "annotation": one} for n, one in enumerate(annotations)),
    ]
    end = [{"type": "response.completed", "sequence_number": 9, "response": whole}] if reply == "streamed" else []
    model.replies = [whole if reply == "whole" else [*events, *end]]
    searched = [
        {"source_type": "cited_document", "source_name": "https://a.example/", "source_uri": "https://a.example/"},
        {"source_type": "cited_document", "source_name": "old.pdf", "document_id": "file-2"},
    ]
    with OpenAI(api_key="k", base_url=f"{model.url}/v1") as own:
        client: Any = observe(own, create(fail="closed"))
        returned = client.responses.create(model="m", input="q", stream=reply != "whole")
        seen = sources(service, returned, reply != "whole")
    assert seen == [RETURNS, TERMS, *([] if reply == "cut" else searched)]


@pytest.mark.parametrize("is_stream", [False, True])
def test_messages_of_anthropic(model: Model, create: Create, service: FakeService, is_stream: bool) -> None:
    page = {"type": "web_search_result", "url": "https://b.example/", "title": "B", "encrypted_content": "x"}
    search = {"type": "web_search_tool_result", "tool_use_id": "s1", "content": [page]}
    failure = {"type": "web_search_tool_result_error", "error_code": "unavailable"}
    failed = {"type": "web_search_tool_result", "tool_use_id": "s2", "content": failure}
    web = {"type": "web_search_result_location", **PAGE, "cited_text": "30 days", "encrypted_index": "x"}
    span = {"start_char_index": 0, "end_char_index": 7, "document_index": 0, "document_title": None}
    char = {"type": "char_location", "cited_text": "30 days", **span}
    head = {"id": "msg_1", "type": "message", "role": "assistant", "model": "c-1", "stop_sequence": None}
    usage = {"usage": {"input_tokens": 1, "output_tokens": 1}, "stop_reason": None}
    text = {"type": "text", "text": "Thirty days.", "citations": [web, char]}
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": {**head, **usage, "content": []}},
        *({"type": "content_block_start", "index": n, "content_block": one} for n, one in enumerate([search, failed])),
        {"type": "content_block_start", "index": 2, "content_block": {"type": "text", "text": "", "citations": []}},
        *(
            {"type": "content_block_delta", "index": 2, "delta": {"type": "citations_delta", "citation": one}}
            for one in (web, char)
        ),
        {"type": "content_block_delta", "index": 2, "delta": {"type": "text_delta", "text": "Thirty days."}},
        {"type": "content_block_stop", "index": 2},
        {"type": "message_stop"},
    ]
    model.replies = [events if is_stream else {**head, **usage, "content": [search, failed, text]}]
    with Anthropic(api_key="k", base_url=model.url) as own:
        client: Any = observe(own, create(fail="closed"))
        returned = client.messages.create(model="c", max_tokens=9, messages=ASKED, stream=is_stream)
        assert sources(service, returned, is_stream) == [
            RETURNS,
            {"source_type": "cited_document", "source_name": "document 0"},
            {"source_type": "cited_document", "source_name": "B", "source_uri": "https://b.example/"},
        ]


def test_what_it_does_not_know_is_no_source() -> None:
    assert cited_sources([{}, {"type": "new_kind"}, {"url": ""}, {"url": "http://[", "type": "x"}, None]) == []
