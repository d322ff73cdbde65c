"""The form of bundles and trust files (docs/formats/bundle.md, "The bundle", and the pages it links to)."""

import re

from canonical_json import SAFE, Malformed

UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
SHA256 = re.compile(r"sha256:[0-9a-f]{64}")
COMMITMENT = re.compile(r"(hmac-)?sha256:[0-9a-f]{64}")
TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z")
HEX16 = re.compile(r"[0-9a-f]{32}")
HEX32 = re.compile(r"[0-9a-f]{64}")
TRACE_ID = re.compile(r"[0-9a-f]{32}")
SPAN_ID = re.compile(r"[0-9a-f]{16}")

# A form is a type, a pattern, a set of strings, or a function; `None` in a tuple allows null.


def _array(form):
    return lambda value: isinstance(value, list) and all(_fits(item, form) for item in value)


def _filled(array):
    return lambda value: array(value) and len(value) > 0


def _object(members, optional=()):
    def fits(value):
        if not isinstance(value, dict) or not set(value) <= set(members):
            return False
        return all(name in value or name in optional for name in members) and all(
            _fits(value[name], members[name]) for name in value
        )

    return fits


def _nullable(form):
    return lambda value: value is None or _fits(value, form)


def _fits(value, form):
    if isinstance(form, re.Pattern):
        return isinstance(value, str) and form.fullmatch(value) is not None
    if isinstance(form, set):
        return isinstance(value, str) and value in form
    if form is int:
        return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= SAFE
    if isinstance(form, type):
        return isinstance(value, form)
    return form(value)


def _between(least, most):
    return lambda value: type(value) is int and least <= value <= most


def _positive(value):
    return _fits(value, int) and value > 0


TEXT_STATES = {"stored", "discarded", "not_submitted"}
EVENT_TYPES = {"correction_appended", "voided", "redacted", "retention_extended"}
ACTOR = _object({"kind": {"application", "user", "service"}, "id": str, "token_id": _nullable(UUID)})
COMMITTED = {"hash": COMMITMENT, "hash_key_id": _nullable(str), "text_state": TEXT_STATES}
OPTIONAL_PAYLOAD = {
    "reason_code": str,
    "redact_source_ref_ids": _array(str),
    "redact_semantic_refs": bool,
    "redact_event_ids": _array(UUID),
    "retain_until": TIME,
}
RECORD_CORE = _object(
    {
        "id": UUID,
        "nonce": HEX16,
        "application_key": str,
        "environment": str,
        "idempotency_key": _nullable(str),
        "question": _object(COMMITTED),
        "answer": _object(COMMITTED),
        "semantic_refs": _array(SHA256),
        "source_refs": _array(_object({"source_ref_id": str, "hash": SHA256})),
        "evidence_access_event_ids": _array(UUID),
        "external_trace_id": _nullable(str),
        "external_message_id": _nullable(str),
        "mode": _nullable(str),
        "actor_id_hash": _nullable(str),
        "session_id_hash": _nullable(str),
        "retention_until": TIME,
        "created_by": ACTOR,
        "settings_version": _positive,
    }
)
EVENT_CORE = _object(
    {
        "id": UUID,
        "nonce": HEX16,
        "answer_log_id": UUID,
        "sequence": _positive,
        "event_type": EVENT_TYPES,
        "actor": ACTOR,
        "prev_event_hash": SHA256,
        "idempotency_key": _nullable(str),
        "settings_version": _positive,
        "reason_hash": _nullable(SHA256),
        "payload": _object(OPTIONAL_PAYLOAD, optional=OPTIONAL_PAYLOAD),
        "payload_rest_hash": _nullable(SHA256),
        "corrected_answer": _nullable(_object({**COMMITTED, "origin": {"caller", "service"}})),
    }
)
TRACE_CORE = _object(
    {
        "id": UUID,
        "nonce": HEX16,
        "answer_log_id": UUID,
        "signal": {"span", "log"},
        "trace_id": TRACE_ID,
        "span_id": _nullable(SPAN_ID),
        "started_at": _nullable(TIME),
        "commitments": {"equal", "not_comparable", "absent"},
        "actor": ACTOR,
    }
)
EXPIRY_CORE = _object({"id": UUID, "nonce": HEX16, "answer_log_id": UUID, "retained_until": TIME})
LINK_CORE = _object({"id": UUID, "nonce": HEX16, "answer_log_id": UUID, "asset_id": UUID, "actor": ACTOR})
LEAF = {"leaf_index": int, "entry": str, "leaf_hash": str, "proof": str}
TEXT = _nullable(_object({"text": str, "key": _nullable(HEX32)}))
ITEM = _nullable(_object({"salt": HEX16, "item": dict}))
REASON = _nullable(_object({"salt": HEX16, "item": str}))
RECORD_SHOWN = _object({"question": TEXT, "answer": TEXT, "semantic_refs": _array(ITEM), "source_refs": _array(ITEM)})
EVENT_SHOWN = _object({"reason": REASON, "payload_rest": ITEM, "corrected_text": TEXT})
KEYS = _array(_object({"vkey": str, "first_tree_size": int, "last_tree_size": _nullable(int)}))
ANCHOR_TYPES = {"rfc3161", "object-lock", "file"}
POLICY_ANCHORS = {
    "rfc3161": _object({"id": str, "type": {"rfc3161"}, "url": str, "certificate_pem": str, "required": bool}),
    "object-lock": _object(
        {
            "id": str,
            "type": {"object-lock"},
            "url": str,
            "bucket": str,
            "region": str,
            "prefix": str,
            "retention_days": int,
            "access_key_id": str,
            "required": bool,
        }
    ),
    "file": _object({"id": str, "type": {"file"}}),
}
POLICY = _object(
    {
        "checkpoint_interval_seconds": _between(1, 86_400),
        "anchor_interval_seconds": _between(60, 2_592_000),
        "anchors": _array(lambda value: any(_fits(value, form) for form in POLICY_ANCHORS.values())),
        "anchors_required": _between(0, 8),
        "witness_policy": str,
        "public_log": bool,
        "version": int,
        "updated_at": _nullable(TIME),
    }
)
EVIDENCE_LEAF = _object({**LEAF, "core": dict})
SEGMENT = _object(
    {
        "index": int,
        "segment_id": str,
        "hash": str,
        "proof": _array(HEX32),
        "disclosed": _nullable(_object({"salt": HEX16, "text": str})),
    }
)
ASSET = _object({"registered": EVIDENCE_LEAF, "segments": _array(SEGMENT), "erasures": _array(EVIDENCE_LEAF)})
INDEXES = _nullable(_array(int))
DETAILS = {name: _nullable(SHA256) for name in ("name", "content_hash", "external_uri", "attributes")}
RANGE = _object({"offset": int, "length": _positive})
EVIDENCE_CORES = {
    "evidence_registered": _object(
        {
            "id": UUID,
            "nonce": HEX16,
            "asset_id": UUID,
            "application_key": str,
            "idempotency_key": _nullable(str),
            "kind": {"file", "media", "reference"},
            "content_type": _nullable(str),
            "size_bytes": _nullable(int),
            "details": _object(DETAILS),
            "segments_root": _nullable(SHA256),
            "segment_count": int,
            "retention_until": TIME,
            "created_by": ACTOR,
            "settings_version": _positive,
        }
    ),
    "evidence_accessed": _object(
        {
            "id": UUID,
            "nonce": HEX16,
            "asset_id": UUID,
            "application_key": str,
            "access": {"retrieve", "download"},
            "segments": INDEXES,
            "range": _nullable(RANGE),
            "source_ref_id": str,
            "purpose": _nullable(SHA256),
            "actor": ACTOR,
        }
    ),
    "evidence_redacted": _object(
        {
            "id": UUID,
            "nonce": HEX16,
            "asset_id": UUID,
            "answer_log_id": UUID,
            "event_id": UUID,
            "access_event_ids": _array(UUID),
            "segments": INDEXES,
        }
    ),
    "evidence_expired": _object({"id": UUID, "nonce": HEX16, "asset_id": UUID, "retained_until": TIME}),
}
BUNDLE = _object(
    {
        "format": {"answer-evidence-bundle/v1"},
        "origin": str,
        "workspace_id": UUID,
        "record": _object({**LEAF, "core": RECORD_CORE, "disclosed": RECORD_SHOWN}),
        "status": {"recorded", "corrected", "voided", "redacted"},
        "events": _array(_object({**LEAF, "core": EVENT_CORE, "disclosed": EVENT_SHOWN})),
        "attachments": _array(_object({**LEAF, "core": dict})),
        "evidence": _object({"accesses": _array(EVIDENCE_LEAF), "assets": _array(ASSET)}),
        "checkpoint": str,
        "anchors": _array(_object({"anchor_id": str, "type": ANCHOR_TYPES, "artefact": str})),
        "log_keys": KEYS,
        "policy": _nullable(POLICY),
    },
    optional={"evidence"},
)
PINNED_ANCHOR = _object({"anchor_id": str, "type": ANCHOR_TYPES, "required": bool, "certificate_pem": _nullable(str)})
TRUST = _object(
    {
        "format": {"answer-evidence-trust/v1"},
        "logs": _filled(_array(_object({"origin": str, "keys": _filled(KEYS)}))),
        "witness_policy": _nullable(str),
        "tsa_roots": _array(str),
        "anchors": _array(PINNED_ANCHOR),
        "anchors_required": int,
    },
    optional={"anchors", "anchors_required"},
)
COMMITMENT_OR_NONE = _nullable(COMMITMENT)
REFERENCE_LINE = _object(
    {"reference_id": str, "occurred_at": TIME, "question_hash": COMMITMENT_OR_NONE, "answer_hash": COMMITMENT_OR_NONE}
)
OPENED = _object({"opened": bool, "equals": _nullable(SHA256)})
RECORD_LINE = _object(
    {
        "leaf_index": int,
        "entry": str,
        "core": RECORD_CORE,
        "status": {"recorded", "corrected", "voided", "redacted"},
        "question": OPENED,
        "answer": OPENED,
        "named_earlier": _nullable(UUID),
    }
)
SET = _object({"size": int, "root": HEX32})
COUNTS = (
    "references repeated_references records matched hashes_not_comparable hash_mismatches named_earlier missing_service "
    "unexpected_service late_service duplicate_reference duplicate_service unanchored_service"
).split()
RUN_CORE = _object(
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
        "snapshot": _object({"tree_size": int, "root_hash": HEX32}),
        "anchored_tree_size": _nullable(int),
        "references": SET,
        "records": SET,
        "findings": SET,
        "counts": _object(dict.fromkeys(COUNTS, int)),
    }
)
RUN_PROOF = _object(
    {
        "format": {"answer-evidence-reconciliation/v1"},
        "origin": str,
        "workspace_id": UUID,
        "run": _object({**LEAF, "core": RUN_CORE}),
        "note": str,
        "consistency": _array(HEX32),
        "checkpoint": str,
        "anchors": _array(_object({"anchor_id": str, "type": ANCHOR_TYPES, "artefact": str})),
        "log_keys": KEYS,
        "policy": _nullable(POLICY),
    }
)
ENTRY = _object({"v": int, "type": str, "id": UUID, "subject": UUID, "seq": int, "hash": SHA256, "at": TIME})


def assert_form(value, form, what):
    """Raises Malformed unless the value has the form."""
    if not _fits(value, form):
        raise Malformed("%s is not of its format" % what)
