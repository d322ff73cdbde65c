import { type EvidenceRegisteredCore, evidenceRegisteredCore, type JsonObject } from '@answer-evidence/contracts';
import { formatHex, formatTimestamp } from '@answer-evidence/encoding';
import type { EvidenceAssetRow } from '@answer-evidence/tables';
import { columnOf } from './stored-cores.ts';

/** The core of an asset's registration from its stored row. Throws when it is not of the form of a core. */
export function evidenceRegisteredCoreOf(row: Omit<EvidenceAssetRow, 'leaf_index'>): EvidenceRegisteredCore {
  return evidenceRegisteredCore.parse(describeEvidenceRegisteredCore(row));
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
