"""Marks an answer of which a person saw a part: its stream was left, or broke. The SDK for Node marks it alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

EndedBy = Literal["caller", "error"]

STREAM = "stream"


def ended_by(error: BaseException) -> EndedBy:
    """Who ended a stream: its caller, by leaving or by cancelling a task, or an error."""
    return "error" if isinstance(error, Exception) else "caller"


def part_ref(by: EndedBy) -> dict[str, str]:
    """Says that the answer is a part. It follows the refs of the models and tools."""
    return {"ref_type": STREAM, "state": "partial", "ended_by": by}


def without_parts(refs: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The refs without such marks: what a model left unsaid on the way is not missing in the answer."""
    return [ref for ref in refs if ref.get("ref_type") != STREAM]
