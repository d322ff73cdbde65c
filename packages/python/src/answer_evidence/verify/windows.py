"""
What a bundle that was verified speaks of: its tree, and the window in which its record came into the log
(docs/formats/trust.md, "Times of outside parties").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from .attested import Confirmed
from .bundle_checks import Bundle
from .canonical_json import Json, Malformed
from .cores import micros, read_entry
from .form import format_time
from .hold_checks import describe_holds
from .outcomes import Result
from .runs import Run
from .tiles import Log

UUID = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
OPERATORS_WORD = "the operator's word"
NOBODY_VOUCHES = f"- (nobody vouches for this end: it is {OPERATORS_WORD})"
# An invented log can be time-stamped too.
FOUNDATIONS = ("leaf_entry", "merkle_inclusion", "checkpoint_signature", "external_anchor")
Value = TypeVar("Value")


class BundleVerification(NamedTuple):
    """The outcome of every check, and what they speak of. The members have the names and values of the API."""

    answer_log_id: str
    results: list[Result]
    anchoring: str
    checkpoint: Json | None
    status_as_of: Json | None
    sequenced: Json
    pins: list[str]
    holds: str = ""

    def members(self) -> dict[str, Json]:
        """All but the results and what is for people, as JSON."""
        return {name: value for name, value in self._asdict().items() if name not in ("results", "holds")}

    def lines(self) -> list[str]:
        """All but the results, for people."""
        tree, as_of, window = self.checkpoint, self.status_as_of, self.sequenced
        until = _describe_end(window["not_later_than"], window["not_later_than_by"])
        return [
            f"record: {self.answer_log_id}",
            f"log: {tree['origin'] if tree else '-'}",
            f"checkpoint: {'tree size {tree_size}, root {root_hash}'.format(**tree) if tree else '-'}",
            f"anchoring: {self.anchoring}",
            f"status as of: {'tree size {tree_size}, {at}'.format(**as_of) if as_of else '-'}",
            f"recorded at: {'unknown' if window['stated'] is None else window['stated'] + ', ' + OPERATORS_WORD}",
            f"sequenced after: {_describe_end(window['after'], window['after_by'])}",
            f"and not later than: {until}",
            *(f"pin used: {pin}" for pin in self.pins or ["none"]),
            *([f"on hold: {self.holds}"] if self.holds else []),
        ]


class RunVerification(NamedTuple):
    """The outcome of every check of a run, and what they speak of, with the names of the program for Node."""

    run_id: str | None
    results: list[Result]
    checkpoint: Json | None
    counts: Json | None
    pins: list[str]

    def members(self) -> dict[str, Json]:
        """All but the results, as JSON."""
        return {name: value for name, value in self._asdict().items() if name != "results"}

    def lines(self) -> list[str]:
        """All but the results, for people."""
        tree = self.checkpoint
        counts = (self.counts or {}).items()
        return [
            f"run: {self.run_id or '-'}",
            f"log: {tree['origin'] if tree else '-'}",
            f"checkpoint: {'tree size {tree_size}, root {root_hash}'.format(**tree) if tree else '-'}",
            *(f"decided: {name.replace('_', ' ')}: {count}" for name, count in counts),
            *(f"pin used: {pin}" for pin in self.pins or ["none"]),
        ]


def describe_run(run: Run, results: list[Result]) -> RunVerification:
    """What a run speaks of, by the results of its checks. Counts are those that this verifier has come to."""
    is_signed = {name: outcome for name, outcome, _ in results}["checkpoint_signature"] == "PASS"
    pins = list(dict.fromkeys(vkey for _, vkey in run.pinned_keys())) if is_signed else []
    tree = _or_none(run.checkpoint)
    counts = _or_none(lambda: run.decided[1])
    return RunVerification(run.core["run_id"], results, _shape_tree(tree), counts, pins)


def _shape_tree(tree: tuple[str, int, bytes] | None) -> Json | None:
    return tree and {"origin": tree[0], "tree_size": tree[1], "root_hash": tree[2].hex()}


def _describe_end(at: str | None, by: Sequence[Json]) -> str:
    if at is None:
        return NOBODY_VOUCHES
    return f"{at} ({', '.join('{kind} {name}'.format(**one) for one in by) or OPERATORS_WORD})"


def describe_malformed(value: Json, results: list[Result]) -> BundleVerification:
    """What can be said of a bundle that is not of its format."""
    record = value.get("record") if isinstance(value, dict) else None
    core = record.get("core") if isinstance(record, dict) else None
    id_ = core.get("id") if isinstance(core, dict) else None
    known = id_ if isinstance(id_, str) and UUID.fullmatch(id_) else ""
    return BundleVerification(known, results, "NOT_ANCHORED", None, None, _window(None, None, None), [])


def describe_bundle(bundle: Bundle, results: list[Result]) -> BundleVerification:
    """What a bundle speaks of, by the results of its checks."""
    outcomes = {name: outcome for name, outcome, _ in results}
    is_signed = outcomes["checkpoint_signature"] == "PASS"
    pins = list(dict.fromkeys(vkey for _, vkey in bundle.pinned_keys())) if is_signed else []
    tree = _or_none(bundle.checkpoint)
    times = [at for leaf in bundle.leaves if (at := _time_of(leaf)) is not None]
    last = max(times, key=micros, default=None)
    return BundleVerification(
        answer_log_id=bundle.record["core"]["id"],
        results=results,
        anchoring=_anchoring(outcomes),
        checkpoint=_shape_tree(tree),
        status_as_of=tree and last and {"tree_size": tree[1], "at": last},
        sequenced=_window(_time_of(bundle.record), _find_lower_end(bundle, outcomes), _find_bound(bundle, outcomes)),
        pins=pins,
        holds=describe_holds(bundle.bundle),
    )


def _anchoring(outcomes: dict[str, str]) -> str:
    """PENDING: something that is demanded is missing and nothing is wrong, so that waiting may help."""
    if outcomes["anchored"] == "PASS":
        return "ANCHORED"
    stands = outcomes["checkpoint_signature"] == outcomes["merkle_inclusion"] == "PASS"
    demands = {outcomes[name] for name in ("witness_cosignatures", "external_anchor", "anchored")}
    waits = "SKIP" in (outcomes["witness_cosignatures"], outcomes["anchored"])
    return "PENDING" if stands and "FAIL" not in demands and waits else "NOT_ANCHORED"


def _window(stated: str | None, before: tuple[str, list[Json]] | None, bound: tuple[int, list[str]] | None) -> Json:
    after, after_by = (None, []) if before is None else before
    until, names = (None, []) if bound is None else (format_time(bound[0]), bound[1])
    by = [{"kind": "anchor", "name": name} for name in names]
    lower = {"stated": stated, "after": after, "after_by": after_by}
    return {**lower, "not_later_than": until, "not_later_than_by": by}


def _find_lower_end(bundle: Bundle, outcomes: dict[str, str]) -> tuple[str, list[Json]] | None:
    """
    When outside parties attested a tree without the record, the latest of those before its own time; without any, the
    time of the leaf before it, which is the operator's word too.
    """
    stated = _time_of(bundle.record)
    stands = all(outcomes[name] == "PASS" for name in FOUNDATIONS[:3])
    if stated is None or not stands or "FAIL" in (outcomes["checkpoint_consistency"], outcomes["log_order"]):
        return None
    origin, size, root = bundle.checkpoint()
    index = bundle.record["leaf_index"]
    trees = [] if bundle.given is None else bundle.given.trees_of(origin)
    attested = [(tree, one) for tree in trees if tree.size <= index for one in tree.attested]
    for tree, one in sorted(attested, key=lambda pair: -pair[1].micros):
        if one.micros <= micros(stated) and bundle.continues(tree):
            return format_time(one.micros), one.by
    if index == 0 or bundle.read is None or outcomes["log_order"] != "PASS":
        return None
    entry = Log(bundle.read, size, root).read_entries[index - 1]
    return None if entry is None else (str(entry["at"]), [])


def _find_bound(bundle: Bundle, outcomes: dict[str, str]) -> tuple[int, list[str]] | None:
    if any(outcomes[name] != "PASS" for name in FOUNDATIONS) or outcomes["anchored"] == "FAIL":
        return None
    return bound_of(*bundle.confirmed_anchors())


def bound_of(needed: int, confirmed: Sequence[Confirmed]) -> tuple[int, list[str]] | None:
    """
    The k-th smallest of the confirmed times, k being how many anchors are needed, and the anchors that state it or an
    earlier one; None where no anchor states a time. Each party counts once, with its smallest time.
    """
    times = [(one.gen_time, one.anchor_id, one.party) for one in confirmed if one.gen_time is not None]
    parties: dict[str | bytes, tuple[int, str]] = {}
    for at, anchor_id, party in sorted(times, key=lambda time: time[0]):
        parties.setdefault(party, (at, anchor_id))
    in_order = list(parties.values())
    if not in_order:
        return None
    last = in_order[min(needed, len(in_order)) - 1][0]
    return last, [anchor_id for at, anchor_id in in_order if at <= last]


def _time_of(leaf: Json) -> str | None:
    entry = _or_none(lambda: read_entry(leaf["entry"]))
    return None if entry is None else str(entry["at"])


def _or_none(read: Callable[[], Value]) -> Value | None:
    try:
        return read()
    except (Malformed, ValueError):
        # The check that reads it says what is wrong.
        return None
