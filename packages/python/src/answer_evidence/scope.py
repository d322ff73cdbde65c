"""Binds what is found out during a request to the answers that are recorded in it, through every call and `await`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

LISTS = ("source_refs", "semantic_refs", "evidence_access_event_ids")


@dataclass
class Scope:
    """One request: its fields, and the sources and accesses that were found so far."""

    fields: Mapping[str, Any]
    question: str | None = None
    sources: list[Mapping[str, Any]] = field(default_factory=list)
    accesses: list[str] = field(default_factory=list)
    answers: int = 0


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
    if key is not None and "idempotency_key" not in fields and scope.answers > 1:
        whole["idempotency_key"] = f"{key}:{scope.answers}"
    found: dict[str, list[Any]] = {"source_refs": list(scope.sources), "evidence_access_event_ids": scope.accesses}
    for name in LISTS:
        joined = [*(scope.fields.get(name) or []), *found.get(name, []), *(fields.get(name) or [])]
        if joined:
            whole[name] = joined
    return whole
