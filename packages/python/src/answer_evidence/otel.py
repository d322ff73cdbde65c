"""Marks spans of OpenTelemetry as answers, for applications that export traces to the service (docs/otlp.md)."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from opentelemetry import context, trace
from opentelemetry.sdk.trace import ReadableSpan, Span, SpanProcessor

# Says of a span that has begun which idempotency key its answer has; None for a span that is no answer.
Rule = Callable[[Span], "str | None"]

PREFIX = "service.audit."
# Set this on the resource, so that only marked spans are answers: Resource.create(ONLY_MARKED).
ONLY_MARKED = {f"{PREFIX}answers": "marked"}


class MarkingSpanProcessor(SpanProcessor):
    """Marks each span for which the rule gives a key. Add it before the processor that exports."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule

    def on_start(self, span: Span, parent_context: context.Context | None = None) -> None:
        key = self.rule(span)
        if key is not None:
            span.set_attribute(f"{PREFIX}idempotency_key", key)

    def on_end(self, span: ReadableSpan) -> None:
        pass


class AnswerSpan:
    """A marked span, which becomes one record."""

    def __init__(self, span: trace.Span) -> None:
        self.span = span

    def set_question(self, text: str) -> None:
        self.span.set_attribute(f"{PREFIX}question_text", text)

    def set_answer(self, text: str) -> None:
        self.span.set_attribute(f"{PREFIX}answer_text", text)

    def set_sources(self, sources: Sequence[Mapping[str, Any]]) -> None:
        """Replaces all sources that spans below this one have."""
        self.span.set_attribute(f"{PREFIX}source_refs", [json.dumps(source, ensure_ascii=False) for source in sources])


@contextmanager
def answer_span(
    key: str,
    *,
    question: str | None = None,
    user_id: str | None = None,
    session_id: str | None = None,
    hash_key: bytes | None = None,
    name: str = "answer",
) -> Iterator[AnswerSpan]:
    """
    One span that becomes one record, under this key. The ids of a person and a session leave the process as keyed
    hashes alone, so that they need a `hash_key`.
    """
    attributes: dict[str, str] = {f"{PREFIX}idempotency_key": key}
    for member, value in (("enduser.id_hash", user_id), ("session.id_hash", session_id)):
        if value is not None:
            attributes[member] = hash_id(value, hash_key)
    with trace.get_tracer("answer_evidence").start_as_current_span(name, attributes=attributes) as span:
        answer = AnswerSpan(span)
        if question is not None:
            answer.set_question(question)
        yield answer


def hash_id(value: str, hash_key: bytes | None) -> str:
    """HMAC-SHA-256 of an id, in hex. Without a key anyone could try all ids."""
    if not hash_key:
        raise ValueError("ids of people and sessions are hashed with a key: give hash_key")
    return hmac.new(hash_key, value.encode(), hashlib.sha256).hexdigest()
