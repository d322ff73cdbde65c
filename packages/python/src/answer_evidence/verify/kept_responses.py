"""Why a response that somebody keeps is not about its own entry, or not about the request that is kept beside it."""

from __future__ import annotations

import json

from ..comparing import Differences, compare_created
from .canonical_json import Json, Malformed, canonical
from .cores import core_hash, read_entry

NO_CREATE = "the request kept beside it is not the body of a create"
UNSENT: Json = object()


def find_other_object(response: Json, entry: str, request: Json) -> str | None:
    """The fault of a response with its entry; None where both agree. `request` is `UNSENT` where none is kept."""
    if not _is_record(response):
        return _other_id(response, entry)
    found = Differences(response, is_strict=True)
    if request is UNSENT:
        found.record()
        return _say(found, "its own entry or texts")
    if not _is_create(request):
        return NO_CREATE
    # A create without a key of its own got a random one, which the request as it was kept does not have.
    key = request.get("idempotency_key") or response.get("idempotency_key")
    try:
        compare_created(json.dumps({**request, "idempotency_key": key}), found)
        _compare_lists(request, response, found)
    except (TypeError, ValueError, AttributeError):
        return NO_CREATE
    return _say(found, "the request kept beside it")


def find_other_core(value: Json, entry: str) -> str | None:
    """The fault of a core that its entry does not commit to."""
    try:
        read = read_entry(entry)
        is_same = "core" not in value or core_hash(read["type"], value["core"]) == read["hash"]
    except (Malformed, ValueError):
        is_same = False
    return None if is_same else "it is not about its own entry: /core differs"


def _other_id(value: Json, entry: str) -> str | None:
    try:
        read = read_entry(entry)
    except Malformed:
        return None
    is_same = "id" not in value or value["id"] in (read["id"], read["subject"])
    return None if is_same else "it is not about its own entry: /id differs"


def _is_record(response: Json) -> bool:
    texts = (response.get("question"), response.get("answer"))
    return isinstance(response.get("record_hash"), str) and all(isinstance(text, dict) for text in texts)


def _is_create(request: Json) -> bool:
    if not isinstance(request, dict) or not isinstance(request.get("application_key"), str):
        return False
    for text in (request.get("question"), request.get("answer")):
        known = [text.get(name) for name in ("text", "hash")] if isinstance(text, dict) else []
        if not any(isinstance(one, str) for one in known):
            return False
    return True


def _compare_lists(request: Json, response: Json, found: Differences) -> None:
    sent = [one.lower() for one in request.get("evidence_access_event_ids") or []]
    found.require("/evidence_access_event_ids", response.get("evidence_access_event_ids") == sent)
    for name in ("semantic_refs", "source_refs"):
        given, shown = request.get(name) or [], response.get(name) or []
        # A token that may not read them is shown none, and what was erased is a tombstone or empty.
        if shown and len(shown) != len(given):
            found.add(f"/{name}")
        for n, (item, other) in enumerate(zip(shown, given, strict=False)):
            rest, wanted = ({k: v for k, v in one.items() if k != "source_ref_id"} for one in (item, other))
            if rest and "tombstone" not in rest and canonical(rest) != canonical(wanted):
                found.add(f"/{name}/{n}")


def _say(found: Differences, what: str) -> str | None:
    if not found.fields:
        return None
    return f"it is not about {what}: {', '.join(found.fields)} {'differs' if len(found.fields) == 1 else 'differ'}"
