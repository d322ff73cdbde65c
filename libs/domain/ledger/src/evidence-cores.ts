import {
  type EvidenceAccessedCore,
  evidenceAccessedCore,
  type EvidenceExpiredCore,
  evidenceExpiredCore,
  type EvidenceLinkedCore,
  evidenceLinkedCore,
  type EvidenceRedactedCore,
  evidenceRedactedCore,
  type EvidenceRegisteredCore,
  evidenceRegisteredCore,
  type JsonObject,
} from '@answer-evidence/contracts';
import { formatHex, formatTimestamp } from '@answer-evidence/encoding';
import type {
  EvidenceAccessRow,
  EvidenceAssetRow,
  EvidenceExpiryRow,
  EvidenceLinkRow,
  EvidenceRedactionRow,
} from '@answer-evidence/tables';
import { columnOf } from './stored-cores.ts';

/** The core of an asset's registration from its stored row. Throws when it is not of the form of a core. */
export function evidenceRegisteredCoreOf(row: Omit<EvidenceAssetRow, 'leaf_index'>): EvidenceRegisteredCore {
  return evidenceRegisteredCore.parse(describeEvidenceRegisteredCore(row));
}

/** The core of an access from its stored row. Throws when it is not of the form of a core. */
export function evidenceAccessedCoreOf(row: Omit<EvidenceAccessRow, 'leaf_index'>): EvidenceAccessedCore {
  return evidenceAccessedCore.parse(describeEvidenceAccessedCore(row));
}

/** The core of a link from its stored row. Throws when it is not of the form of a core. */
export function evidenceLinkedCoreOf(row: EvidenceLinkRow): EvidenceLinkedCore {
  return evidenceLinkedCore.parse(describeEvidenceLinkedCore(row));
}

/** The core of a redaction of evidence from its stored row. Throws when it is not of the form of a core. */
export function evidenceRedactedCoreOf(row: EvidenceRedactionRow): EvidenceRedactedCore {
  return evidenceRedactedCore.parse(describeEvidenceRedactedCore(row));
}

/** The core of an expiry of evidence from its stored row. Throws when it is not of the form of a core. */
export function evidenceExpiredCoreOf(row: EvidenceExpiryRow): EvidenceExpiredCore {
  return evidenceExpiredCore.parse(describeEvidenceExpiredCore(row));
}

/** What an asset's row says the core of its registration is, whether or not it is one. */
export function describeEvidenceRegisteredCore(row: Omit<EvidenceAssetRow, 'leaf_index'>): JsonObject {
  return {
    id: row.entry_id,
    nonce: formatHex(row.nonce),
    asset_id: row.id,
    application_key: row.application_key,
    idempotency_key: row.idempotency_key,
    kind: row.kind,
    content_type: row.content_type,
    size_bytes: row.size_bytes,
    details: columnOf(row.details_json),
    segments_root: row.segments_root,
    segment_count: row.segment_count,
    retention_until: formatTimestamp(row.retention_until),
    created_by: columnOf(row.created_by_json),
    settings_version: row.settings_version,
  };
}

/** What an access's row says its core is, whether or not it is one. */
export function describeEvidenceAccessedCore(row: Omit<EvidenceAccessRow, 'leaf_index'>): JsonObject {
  return {
    id: row.id,
    nonce: formatHex(row.nonce),
    asset_id: row.asset_id,
    application_key: row.application_key,
    access: row.access,
    segments: columnOf(row.segments_json),
    range: columnOf(row.range_json),
    source_ref_id: row.source_ref_id,
    purpose: row.purpose_hash,
    actor: columnOf(row.actor_json),
  };
}

/** What a link's row says its core is, whether or not it is one. */
export function describeEvidenceLinkedCore(row: EvidenceLinkRow): JsonObject {
  return {
    id: row.id,
    nonce: formatHex(row.nonce),
    answer_log_id: row.record_id,
    asset_id: row.asset_id,
    actor: columnOf(row.actor_json),
  };
}

/** What a redaction's row says its core is, whether or not it is one. */
export function describeEvidenceRedactedCore(row: EvidenceRedactionRow): JsonObject {
  return {
    id: row.id,
    nonce: formatHex(row.nonce),
    asset_id: row.asset_id,
    answer_log_id: row.record_id,
    event_id: row.event_id,
    access_event_ids: columnOf(row.access_ids_json),
    segments: columnOf(row.segments_json),
  };
}

/** What an expiry's row says its core is, whether or not it is one. */
export function describeEvidenceExpiredCore(row: EvidenceExpiryRow): JsonObject {
  return {
    id: row.id,
    nonce: formatHex(row.nonce),
    asset_id: row.asset_id,
    retained_until: formatTimestamp(row.retained_until),
  };
}
