"""Binds what is found out during a request to the answers that are recorded in it, through every call and `await`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from .parts import without_parts


@dataclass
class Scope:
    """One request: its fields, and the sources and accesses that were found so far."""

    fields: Mapping[str, Any]
    question: str | None = None
    sources: list[Mapping[str, Any]] = field(default_factory=list)
    accesses: list[str] = field(default_factory=list)
    models: list[Mapping[str, Any]] = field(default_factory=list)
    answers: int = 0
    # The request is a function whose result is the answer: what models answer in it is part of the way there.
    is_answer: bool = False

    def found(self) -> dict[str, list[Any]]:
        """What the request and the calls in it found, with what its fields name."""
        found: dict[str, list[Any]] = {
            "source_refs": self.sources,
            "semantic_refs": self.models,
            "evidence_access_event_ids": self.accesses,
        }
        joined = {name: [*(self.fields.get(name) or []), *items] for name, items in found.items()}
        return {name: items for name, items in joined.items() if items}

    def gather(self, fields: Mapping[str, Any]) -> None:
        """Keeps what an answer on the way was based on."""
        self.sources += fields.get("source_refs") or []
        self.models += without_parts(fields.get("semantic_refs") or [])
        self.accesses += fields.get("evidence_access_event_ids") or []


_present: ContextVar[Scope | None] = ContextVar("answer_evidence_scope", default=None)


def present() -> Scope | None:
    """The request that is being handled; None outside of one."""
    return _present.get()


@contextmanager
def entered(scope: Scope) -> Iterator[Scope]:
    """Handles a request."""
    token = _present.set(scope)
    try:
        yield scope
    finally:
        _present.reset(token)


def completed(fields: Mapping[str, Any]) -> dict[str, Any]:
    """An answer with what its request has. A second answer gets a key of its own, derived from that of the request."""
    scope = present()
    if scope is None:
        return dict(fields)
    scope.answers += 1
    whole = {**scope.fields, **fields}
    key = scope.fields.get("idempotency_key")
    if key is not None and "idempotency_key" not in fields and (scope.answers > 1 or scope.is_answer):
        whole["idempotency_key"] = f"{key}:{scope.answers}"
    for name, items in scope.found().items():
        whole[name] = [*items, *(fields.get(name) or [])]
    return whole
