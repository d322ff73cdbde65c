"""The holds that a bundle states (docs/formats/bundle.md, "The bundle" and "Log and signatures")."""

from __future__ import annotations

from typing import NamedTuple

from .bundle_form import HOLD_CORES
from .canonical_json import Json, Malformed, read_json
from .cores import micros, read_entry
from .form import assert_form
from .outcomes import require

TIMES = ("created_after", "created_before")
RECOVERY = ("service", "recovery")


class Span(NamedTuple):
    """From which leaf on a hold covers the record, and up to which one."""

    start: int
    matter: str
    end: int | None = None


def assert_holds(bundle: Json) -> None:
    """Every hold covers the record, every release ends a hold, and nothing was erased in between. Raises Malformed."""
    record = bundle["record"]
    spans: dict[str, Span] = {}
    for leaf in bundle.get("holds", []):
        kind, core, index = read_entry(leaf["entry"])["type"], leaf["core"], leaf["leaf_index"]
        require(kind in HOLD_CORES, "an entry about a hold is of another type")
        assert_form(core, HOLD_CORES[kind], "the core of an entry about a hold")
        if kind == "hold_placed":
            require(_covers(core, record), "a hold does not cover the record")
            spans[core["id"]] = Span(index, core["matter"])
            continue
        span = spans.get(core["hold_id"])
        if span is None or span.start >= index:
            raise Malformed("a release of no hold that stands before it")
        require(span.end is None, "a hold is released a second time")
        require(span.matter == core["matter"], "a release names another matter")
        spans[core["hold_id"]] = span._replace(end=index)
    for erased in _erasures(bundle):
        for start, _, end in spans.values():
            held = max(start, record["leaf_index"]) < erased and (end is None or erased < end)
            require(not held, "something of the record was erased while it was on hold")


def _covers(core: Json, record: Json) -> bool:
    if "filters" not in core:
        return record["core"]["id"] in core["answer_log_ids"]
    filters, at = core["filters"], micros(read_entry(record["entry"])["at"])
    same = all(record["core"].get(name) == value for name, value in filters.items() if name not in TIMES)
    after, before = (filters.get(name) for name in TIMES)
    return same and (after is None or at >= micros(after)) and (before is None or at < micros(before))


def _erasures(bundle: Json) -> list[int]:
    """Leaves that erased something of the record, but for redactions that were made again after a restore."""
    redactions = [event for event in bundle["events"] if event["core"]["event_type"] == "redacted"]
    made = [e for e in redactions if (e["core"]["actor"]["kind"], e["core"]["actor"]["id"]) != RECOVERY]
    expiries = [a for a in bundle["attachments"] if read_entry(a["entry"])["type"] == "text_expired"]
    assets = bundle.get("evidence", {"assets": []})["assets"]
    erasures = [erasure for asset in assets for erasure in asset["erasures"]]
    gone = [erasure for erasure in erasures if read_entry(erasure["entry"])["type"] == "evidence_expired"]
    return [leaf["leaf_index"] for leaf in (*made, *expiries, *gone)]


def describe_holds(bundle: Json) -> str:
    """For people: the matters of the holds with their times in the log, or that the bundle does not state any."""
    if "holds" not in bundle:
        return "not stated"
    ends = {str(leaf["core"].get("hold_id")): _time_of(leaf) for leaf in bundle["holds"] if "hold_id" in leaf["core"]}
    told = []
    for leaf in bundle["holds"]:
        if "hold_id" in leaf["core"]:
            continue
        start, end = _time_of(leaf), ends.get(str(leaf["core"].get("id")))
        told.append(f"for “{leaf['core'].get('matter')}” " + (f"from {start} to {end}" if end else f"since {start}"))
    return "; ".join(told) or "none stated"


def _time_of(leaf: Json) -> str:
    try:
        return str(read_json(leaf["entry"])["at"])
    except (Malformed, KeyError, TypeError):
        return "?"
