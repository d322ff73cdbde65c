"""The types of entries, and their form (docs/formats/log.md, "Entries and leaves")."""

from __future__ import annotations

from .bundle_form import SHA256, TIME, UUID
from .form import object_with

# What the entries of a type are about, and what their seq counts: "zero" nothing, "type" the entries of the type,
# "record" the events of the record, "member" the changes of a member, whom no entry names. Their order is that of their
# numbers in the leaf file of a monitor.
PLACES = {
    "genesis": ("itself", "zero"),
    "answer_recorded": ("itself", "zero"),
    "lifecycle_event": ("record", "record"),
    "trace_attached": ("record", "zero"),
    "evidence_linked": ("record", "zero"),
    "text_expired": ("record", "zero"),
    "evidence_registered": ("asset", "zero"),
    "evidence_accessed": ("asset", "zero"),
    "evidence_redacted": ("asset", "zero"),
    "evidence_expired": ("asset", "zero"),
    "settings_changed": ("workspace", "type"),
    "hash_key_changed": ("workspace", "zero"),
    "ledger_key_changed": ("workspace", "type"),
    "trust_policy_changed": ("workspace", "type"),
    "token_issued": ("workspace", "zero"),
    "token_revoked": ("workspace", "zero"),
    "member_changed": ("workspace", "member"),
    "reconciliation_completed": ("workspace", "zero"),
    "export_made": ("workspace", "zero"),
    "epoch_opened": ("itself", "type"),
    "sweep_confirmed": ("workspace", "zero"),
    "texts_revealed": ("workspace", "zero"),
    "notification_target_changed": ("workspace", "type"),
    "proof_link_made": ("workspace", "zero"),
    "proof_link_opened": ("workspace", "zero"),
    "proof_link_revoked": ("workspace", "zero"),
    "search_opened": ("workspace", "zero"),
    "stream_changed": ("workspace", "type"),
    "approval_requested": ("workspace", "zero"),
    "approval_decided": ("workspace", "zero"),
    "hold_placed": ("workspace", "type"),
    "hold_released": ("workspace", "type"),
}
ENTRY = object_with(
    {"v": int, "type": set(PLACES), "id": UUID, "subject": UUID, "seq": int, "hash": SHA256, "at": TIME}
)
