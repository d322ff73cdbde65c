"""What checks come to, in words for people. The catalogue is that of the program for Node, text by text."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

from .outcomes import Result

LANGUAGES = ("en", "de")

GROUPS = {
    "text": ("question_commitment", "answer_commitment", "corrections"),
    "record": ("source_refs", "semantic_refs", "trace_refs", "record_hash", "evidence_binding"),
    "history": ("event_chain", "event_completeness", "status_derivation"),
    "log": (
        "leaf_entry",
        "log_order",
        "merkle_inclusion",
        "checkpoint_signature",
        "checkpoint_consistency",
        "receipt",
    ),
    "outside": ("witness_cosignatures", "external_anchor", "anchored"),
}
# Without one of these, the others of its group say nothing.
DECISIVE = ("record_hash", "merkle_inclusion", "checkpoint_signature")

FOUNDATION = ("record_hash", "leaf_entry", "merkle_inclusion", "checkpoint_signature")
LEVELS = {
    "signed": (),
    "witnessed": ("witness_cosignatures",),
    "anchored": ("external_anchor",),
    "compared": ("reconciliation",),
}


def say(results: list[Result], language: str) -> list[str]:
    """The five groups of checks, each with its sentence, and what may be said of the record."""
    words = _words()[language]
    outcomes = {name: outcome for name, outcome, _ in results}
    states = {group: _state_of(names, outcomes) for group, names in GROUPS.items()}
    lines = []
    for group in sorted(GROUPS, key=lambda one: states[one] != "fails"):
        told, state = words["groups"][group], states[group]
        lines.append(f"{told['name']}: {words['states'][state]}: {told[state]}")
    lines.append(f"{words['may_be_said']}:")
    for level, more in LEVELS.items():
        own = [outcomes.get(name) for name in (*FOUNDATION, *more)]
        state = "denied" if "FAIL" in own else "said" if set(own) == {"PASS"} else "open"
        told = words["levels"][level]
        said = f": {told['said']} {told['not_proved']}" if state == "said" else ""
        lines.append(f"{told['name']}: {words['level_states'][state]}{said}")
    return lines


def _state_of(names: tuple[str, ...], outcomes: dict[str, str]) -> str:
    own = {name: outcomes[name] for name in names if name in outcomes}
    if "FAIL" in own.values():
        return "fails"
    if any(own.get(name) == "SKIP" for name in DECISIVE):
        return "open"
    if "PASS" in own.values():
        return "partly" if "SKIP" in own.values() else "holds"
    return "open" if "SKIP" in own.values() else "none"


@cache
def _words() -> dict[str, Any]:
    text = files(__package__).joinpath("words.json").read_text(encoding="utf-8")
    words: dict[str, Any] = json.loads(text)
    return words
