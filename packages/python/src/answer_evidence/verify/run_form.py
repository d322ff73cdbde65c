"""The form of proofs of runs, and of the lines of their sets (docs/formats/reconciliation.md)."""

from __future__ import annotations

import re

from .bundle_form import (
    ACTOR,
    ANCHOR_TYPES,
    COMMITMENT,
    HEX16,
    HEX32,
    KEYS,
    LEAF,
    POLICY,
    RECORD_CORE,
    SHA256,
    TIME,
    UUID,
)
from .canonical_json import Json
from .form import array, nullable, object_with, text

CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def is_name(value: Json) -> bool:
    """The id of another system."""
    return text(1, 256)(value) and CONTROL.search(value) is None


COMMITMENT_OR_NONE = nullable(COMMITMENT)
REFERENCE_LINE = object_with(
    {
        "reference_id": is_name,
        "occurred_at": TIME,
        "question_hash": COMMITMENT_OR_NONE,
        "answer_hash": COMMITMENT_OR_NONE,
    }
)
OPENED = object_with({"opened": bool, "equals": nullable(SHA256)})
RECORD_LINE = object_with(
    {
        "leaf_index": int,
        "entry": str,
        "core": RECORD_CORE,
        "status": {"recorded", "corrected", "voided", "redacted"},
        "question": OPENED,
        "answer": OPENED,
        "named_earlier": nullable(UUID),
    }
)
SET = object_with({"size": int, "root": HEX32})
COUNTS = (
    "references",
    "repeated_references",
    "records",
    "matched",
    "hashes_not_comparable",
    "hash_mismatches",
    "named_earlier",
    "missing_service",
    "unexpected_service",
    "late_service",
    "duplicate_reference",
    "duplicate_service",
    "unanchored_service",
)
RUN_CORE = object_with(
    {
        "id": UUID,
        "nonce": HEX16,
        "run_id": UUID,
        "application_key": str,
        "environment": str,
        "window_start": TIME,
        "window_end": TIME,
        "match_on": {"idempotency_key", "external_message_id", "external_trace_id"},
        "max_lateness_seconds": int,
        "requested_by": ACTOR,
        "requested_at": TIME,
        "decided_at": TIME,
        "snapshot": object_with({"tree_size": int, "root_hash": HEX32}),
        "anchored_tree_size": nullable(int),
        "references": SET,
        "records": SET,
        "findings": SET,
        "counts": object_with(dict.fromkeys(COUNTS, int)),
    }
)
RUN_PROOF = object_with(
    {
        "format": {"answer-evidence-reconciliation/v1"},
        "origin": str,
        "workspace_id": UUID,
        "run": object_with({**LEAF, "core": RUN_CORE}),
        "note": str,
        "consistency": array(HEX32),
        "checkpoint": str,
        "anchors": array(object_with({"anchor_id": str, "type": ANCHOR_TYPES, "artefact": str})),
        "log_keys": KEYS,
        "policy": nullable(POLICY),
    }
)
