"""Spans as the service reads them."""

from __future__ import annotations

import json

import pytest
from opentelemetry import trace
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from answer_evidence.otel import ONLY_MARKED, MarkingSpanProcessor, answer_span, hash_id


@pytest.fixture
def spans(monkeypatch: pytest.MonkeyPatch) -> InMemorySpanExporter:
    exporter = InMemorySpanExporter()
    provider = TracerProvider(resource=Resource.create(ONLY_MARKED))
    keys = {"reply": "msg-1"}
    provider.add_span_processor(MarkingSpanProcessor(lambda span: keys.get(span.name)))
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, "get_tracer", provider.get_tracer)
    return exporter


def test_one_marked_span_has_key_texts_sources_and_hashed_ids(spans: InMemorySpanExporter) -> None:
    with answer_span("msg-7", question="Open?", user_id="anna@example.com", hash_key=b"k") as answer:
        answer.set_answer("Yes.")
        answer.set_sources([{"source_name": "hours.md"}])
    (span,) = spans.get_finished_spans()
    given = dict(span.attributes or {})
    assert given.pop("enduser.id_hash") == hash_id("anna@example.com", b"k")
    sources = given.pop("service.audit.source_refs")
    assert isinstance(sources, tuple) and [json.loads(str(source)) for source in sources] == [
        {"source_name": "hours.md"}
    ]
    texts = {"service.audit.question_text": "Open?", "service.audit.answer_text": "Yes."}
    assert given == {"service.audit.idempotency_key": "msg-7", **texts}
    assert span.resource.attributes["service.audit.answers"] == "marked"


def test_a_rule_marks_spans_of_others(spans: InMemorySpanExporter) -> None:
    for name in ("reply", "title"):
        with trace.get_tracer("a framework").start_as_current_span(name):
            pass
    marks = {
        span.name: (span.attributes or {}).get("service.audit.idempotency_key") for span in spans.get_finished_spans()
    }
    assert marks == {"reply": "msg-1", "title": None}


def test_an_id_never_leaves_without_a_key(spans: InMemorySpanExporter) -> None:
    with pytest.raises(ValueError, match="hash_key"), answer_span("msg-8", session_id="s"):
        pass
    assert spans.get_finished_spans() == ()
