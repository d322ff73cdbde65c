"""The form of bundles and trust files (docs/formats/bundle.md, "The bundle", and the pages it links to)."""

from __future__ import annotations

import re

from .form import (
    Form,
    Predicate,
    array,
    at_most,
    between,
    filled,
    is_null,
    is_time,
    nullable,
    object_with,
    one_of,
    positive,
    text,
)

UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
SHA256 = re.compile(r"sha256:[0-9a-f]{64}")
COMMITMENT = re.compile(r"(hmac-)?sha256:[0-9a-f]{64}")
TIME = is_time
HEX16 = re.compile(r"[0-9a-f]{32}")
HEX32 = re.compile(r"[0-9a-f]{64}")
HEX64 = re.compile(r"[0-9a-f]{128}")
TRACE_ID = re.compile(r"[0-9a-f]{32}")
SPAN_ID = re.compile(r"[0-9a-f]{16}")

TEXT_STATES = {"stored", "discarded", "not_submitted"}
EVENT_TYPES = {"correction_appended", "voided", "redacted", "retention_extended"}
ACTOR = object_with({"kind": {"application", "user", "service"}, "id": str, "token_id": nullable(UUID)})
COMMITTED = {"hash": COMMITMENT, "hash_key_id": nullable(str), "text_state": TEXT_STATES}
OPTIONAL_PAYLOAD = {
    "reason_code": str,
    "redact_source_ref_ids": array(str),
    "redact_semantic_refs": bool,
    "redact_event_ids": array(UUID),
    "retain_until": TIME,
}
FIRST_LABELS = ("external_trace_id", "external_message_id", "mode", "actor_id_hash", "session_id_hash")
# Labels that were added later: a core leaves out one that the record does not have.
LATER_LABELS: tuple[str, ...] = ()
LABELS = (*FIRST_LABELS, *LATER_LABELS)
RECORD_CORE = object_with(
    {
        "id": UUID,
        "nonce": HEX16,
        "application_key": str,
        "environment": str,
        "idempotency_key": nullable(str),
        "question": object_with(COMMITTED),
        "answer": object_with(COMMITTED),
        "semantic_refs": array(SHA256),
        "source_refs": array(object_with({"source_ref_id": str, "hash": SHA256})),
        "evidence_access_event_ids": array(UUID),
        **dict.fromkeys(FIRST_LABELS, nullable(str)),
        **dict.fromkeys(LATER_LABELS, str),
        "retention_until": TIME,
        "created_by": ACTOR,
        "settings_version": positive,
    },
    optional=LATER_LABELS,
)
EVENT_CORE = object_with(
    {
        "id": UUID,
        "nonce": HEX16,
        "answer_log_id": UUID,
        "sequence": positive,
        "event_type": EVENT_TYPES,
        "actor": ACTOR,
        "prev_event_hash": SHA256,
        "idempotency_key": nullable(str),
        "settings_version": positive,
        "reason_hash": nullable(SHA256),
        "payload": object_with(OPTIONAL_PAYLOAD, optional=OPTIONAL_PAYLOAD),
        "payload_rest_hash": nullable(SHA256),
        "corrected_answer": nullable(object_with({**COMMITTED, "origin": {"caller", "service"}})),
        "approval": object_with({"approval_id": nullable(UUID), "approved_by": nullable(ACTOR)}),
    },
    optional={"approval"},
)
TRACE_CORE = object_with(
    {
        "id": UUID,
        "nonce": HEX16,
        "answer_log_id": UUID,
        "signal": {"span", "log"},
        "trace_id": TRACE_ID,
        "span_id": nullable(SPAN_ID),
        "started_at": nullable(TIME),
        "commitments": {"equal", "not_comparable", "absent"},
        "actor": ACTOR,
    }
)
EXPIRY_CORE = object_with({"id": UUID, "nonce": HEX16, "answer_log_id": UUID, "retained_until": TIME})
LINK_CORE = object_with({"id": UUID, "nonce": HEX16, "answer_log_id": UUID, "asset_id": UUID, "actor": ACTOR})
LEAF = {"leaf_index": int, "entry": str, "leaf_hash": str, "proof": str}
TEXT = nullable(object_with({"text": str, "key": nullable(HEX32)}))
ITEM = nullable(object_with({"salt": HEX16, "item": dict}))
REASON = nullable(object_with({"salt": HEX16, "item": str}))
RECORD_SHOWN = object_with({"question": TEXT, "answer": TEXT, "semantic_refs": array(ITEM), "source_refs": array(ITEM)})
EVENT_SHOWN = object_with({"reason": REASON, "payload_rest": ITEM, "corrected_text": TEXT})
KEYS = array(object_with({"vkey": str, "first_tree_size": int, "last_tree_size": nullable(int)}))
ANCHOR_TYPES = {"rfc3161", "object-lock", "rekor", "file"}
ANCHOR_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
URL = text(1, 2000)
POLICY_ANCHORS = (
    object_with(
        {"id": ANCHOR_ID, "type": {"rfc3161"}, "url": URL, "certificate_pem": text(1, 20_000), "required": bool}
    ),
    object_with(
        {
            "id": ANCHOR_ID,
            "type": {"object-lock"},
            "url": URL,
            "bucket": re.compile(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]"),
            "region": re.compile(r"[a-z0-9-]{1,40}"),
            "prefix": re.compile(r"[A-Za-z0-9._/-]{0,200}"),
            "retention_days": between(1, 36_500),
            "access_key_id": text(1, 200),
            "required": bool,
        }
    ),
    object_with({"id": ANCHOR_ID, "type": {"rekor"}, "url": URL, "log_keys": text(1, 65_536), "required": bool}),
    object_with({"id": ANCHOR_ID, "type": {"file"}}),
)
POLICY = object_with(
    {
        "checkpoint_interval_seconds": between(1, 86_400),
        "anchor_interval_seconds": between(60, 2_592_000),
        "anchors": at_most(8, array(one_of(POLICY_ANCHORS))),
        "anchors_required": between(0, 8),
        "witness_policy": text(0, 65_536),
        "public_log": bool,
        "version": int,
        "updated_at": nullable(TIME),
    }
)
EVIDENCE_LEAF = object_with({**LEAF, "core": dict})
HOLD_FILTERS = {
    **dict.fromkeys(("application_key", "environment", "idempotency_key", *FIRST_LABELS), str),
    "created_after": TIME,
    "created_before": TIME,
}
HOLD = {"id": UUID, "nonce": HEX16, "version": positive, "matter": str, "reason": str, "actor": ACTOR}
HOLD_CORES = {
    "hold_placed": one_of(
        (
            object_with({**HOLD, "filters": object_with(HOLD_FILTERS, optional=HOLD_FILTERS)}),
            object_with({**HOLD, "answer_log_ids": filled(array(UUID))}),
        )
    ),
    "hold_released": object_with({**HOLD, "hold_id": UUID}),
}
SEGMENT = object_with(
    {
        "index": int,
        "segment_id": str,
        "hash": str,
        "proof": array(HEX32),
        "disclosed": nullable(object_with({"salt": HEX16, "text": str})),
    }
)
ASSET = object_with({"registered": EVIDENCE_LEAF, "segments": array(SEGMENT), "erasures": array(EVIDENCE_LEAF)})
INDEXES = nullable(array(int))
DETAILS = {name: nullable(SHA256) for name in ("name", "content_hash", "external_uri", "attributes")}
RANGE = object_with({"offset": int, "length": positive})
EVIDENCE_CORES = {
    "evidence_registered": object_with(
        {
            "id": UUID,
            "nonce": HEX16,
            "asset_id": UUID,
            "application_key": str,
            "idempotency_key": nullable(str),
            "kind": {"file", "media", "reference"},
            "content_type": nullable(str),
            "size_bytes": nullable(int),
            "details": object_with(DETAILS),
            "segments_root": nullable(SHA256),
            "segment_count": int,
            "retention_until": TIME,
            "created_by": ACTOR,
            "settings_version": positive,
        }
    ),
    "evidence_accessed": object_with(
        {
            "id": UUID,
            "nonce": HEX16,
            "asset_id": UUID,
            "application_key": str,
            "access": {"retrieve", "download"},
            "segments": INDEXES,
            "range": nullable(RANGE),
            "source_ref_id": str,
            "purpose": nullable(SHA256),
            "actor": ACTOR,
        }
    ),
    "evidence_redacted": object_with(
        {
            "id": UUID,
            "nonce": HEX16,
            "asset_id": UUID,
            "answer_log_id": UUID,
            "event_id": UUID,
            "access_event_ids": array(UUID),
            "segments": INDEXES,
        }
    ),
    "evidence_expired": object_with({"id": UUID, "nonce": HEX16, "asset_id": UUID, "retained_until": TIME}),
}


def renewal(digest: re.Pattern[str], members: dict[str, Form]) -> Predicate:
    path = at_most(64, filled(array(at_most(64, filled(array(digest))))))
    return object_with(
        {
            "anchor_id": str,
            "type": {"rfc3161"},
            "artefact": str,
            "paths": array(path),
            "revocation_lists": array(object_with({"list": str, "path": path})),
            **members,
        }
    )


RENEWAL = one_of((renewal(HEX32, {}), renewal(HEX64, {"hash": {"sha-512"}})))
BUNDLE_MEMBERS = {
    "origin": str,
    "workspace_id": UUID,
    "record": object_with({**LEAF, "core": RECORD_CORE, "disclosed": RECORD_SHOWN}),
    "status": {"recorded", "corrected", "voided", "redacted"},
    "events": array(object_with({**LEAF, "core": EVENT_CORE, "disclosed": EVENT_SHOWN})),
    "attachments": array(object_with({**LEAF, "core": dict})),
    "evidence": object_with({"accesses": array(EVIDENCE_LEAF), "assets": array(ASSET)}),
    "holds": array(EVIDENCE_LEAF),
    "checkpoint": str,
    "anchors": array(object_with({"anchor_id": str, "type": ANCHOR_TYPES, "artefact": str})),
    "renewals": array(RENEWAL),
    "log_keys": KEYS,
    "policy": nullable(POLICY),
}
OPTIONAL_MEMBERS = {"evidence", "holds", "renewals"}
WITHHELD_FORMAT = "answer-evidence-bundle/v2"
BUNDLE = one_of(
    (
        object_with({"format": {"answer-evidence-bundle/v1"}, **BUNDLE_MEMBERS}, optional=OPTIONAL_MEMBERS),
        object_with(
            {"format": {WITHHELD_FORMAT}, "withheld": lambda value: value == ["texts"], **BUNDLE_MEMBERS},
            optional=OPTIONAL_MEMBERS,
        ),
    )
)
PINNED_ANCHORS = (
    object_with({"anchor_id": str, "type": {"rfc3161"}, "required": bool, "certificate_pem": nullable(str)}),
    object_with(
        {"anchor_id": str, "type": {"rekor"}, "required": bool, "certificate_pem": is_null, "log_keys": str},
    ),
    object_with({"anchor_id": str, "type": ANCHOR_TYPES - {"rekor"}, "required": bool, "certificate_pem": is_null}),
)
TRUST = object_with(
    {
        "format": {"answer-evidence-trust/v1"},
        "logs": filled(array(object_with({"origin": str, "keys": filled(KEYS)}))),
        "witness_policy": nullable(str),
        "tsa_roots": array(str),
        "anchors": array(one_of(PINNED_ANCHORS)),
        "anchors_required": between(0, 8),
    },
    optional={"anchors", "anchors_required"},
)
