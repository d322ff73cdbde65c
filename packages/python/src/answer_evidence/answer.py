"""From the arguments of `record` to the request of the API."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from .errors import EvidenceError
from .times import as_sent
from .verify.bundle_form import LABELS

# A text, or an object with the text, your commitment to it, or both: {"text": "…", "hash": "sha256:…"}.
Text = str | Mapping[str, str]
# Is given each text and its place before it leaves the process, and returns what may leave. If it raises, nothing does.
# Places: question, answer, corrected_answer, reason, source_ref, semantic_ref.
Mask = Callable[[str, str], str]

FIELDS = (
    "environment",
    "idempotency_key",
    "semantic_refs",
    "source_refs",
    "evidence_access_event_ids",
    *LABELS,
    "retention_until",
)


def to_request(
    question: Text, answer: Text, fields: Mapping[str, Any], application: str, key: str, mask: Mask | None
) -> dict[str, Any]:
    """The body of a create, with every text masked. Raises TypeError for a field that the API does not have."""
    unknown = sorted(set(fields) - set(FIELDS))
    if unknown:
        raise TypeError(f"an answer has no field {', '.join(unknown)}")
    request = {name: value for name, value in fields.items() if value is not None}
    request |= {"application_key": application, "idempotency_key": key}
    request["question"] = to_text_or_hash(question, "question", mask)
    request["answer"] = to_text_or_hash(answer, "answer", mask)
    for name, place in (("source_refs", "source_ref"), ("semantic_refs", "semantic_ref")):
        if name in request:
            request[name] = mask_all(request[name], place, mask)
    return request


def to_text_or_hash(text: Text, place: str, mask: Mask | None) -> dict[str, str]:
    """A text as the API takes it, masked."""
    given = {"text": text} if isinstance(text, str) else dict(text)
    return given if mask is None or "text" not in given else {**given, "text": mask(given["text"], place)}


def mask_all(value: Any, place: str, mask: Mask | None) -> Any:
    """The same value with every text in it masked; the names of members stay."""
    if mask is None:
        return value
    if isinstance(value, str):
        return mask(value, place)
    if isinstance(value, Mapping):
        return {name: mask_all(one, place, mask) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [mask_all(one, place, mask) for one in value]
    return value


def format_request(request: Mapping[str, Any]) -> str:
    """The JSON of a request. Raises EvidenceError for what JSON cannot hold."""
    try:
        text = json.dumps(as_sent(request), ensure_ascii=False, allow_nan=False)
        text.encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise EvidenceError("not_json", "the answer cannot be written as JSON in UTF-8") from error
    return text
