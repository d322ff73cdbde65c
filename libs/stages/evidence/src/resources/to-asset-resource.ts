import { formatEntry } from '@answer-evidence/commitments';
import { actor, type EvidenceAsset } from '@answer-evidence/contracts';
import { formatHex, formatTimestamp, MICROS_PER_DAY, parseJsonText } from '@answer-evidence/encoding';
import type { StoredAsset, Workspace } from '@answer-evidence/ports';
import { assertErased, openAssetDetails } from './open-details.ts';

/** An asset as the API returns it; `backupDays` is how long backups are kept. */
export function toAssetResource(workspace: Workspace, stored: StoredAsset, backupDays: number): EvidenceAsset {
  const { asset, leaf } = stored;
  const details = openAssetDetails(workspace, stored);
  const erasedAt = [...stored.redactions, ...stored.expiries].map((erasure) => erasure.leaf.at);
  return {
    id: asset.id,
    application_key: asset.application_key,
    idempotency_key: asset.idempotency_key,
    name: details?.name?.item ?? null,
    kind: asset.kind,
    content_type: asset.content_type,
    size_bytes: asset.size_bytes,
    content_hash: details?.content_hash?.item ?? null,
    segment_count: asset.segment_count,
    segments_root: asset.segments_root,
    external_uri: details?.external_uri?.item ?? null,
    attributes: details?.attributes?.item ?? {},
    state: stored.state,
    original: originalOf(stored),
    original_deleted_at: stored.originalDeletedAt === null ? null : formatTimestamp(stored.originalDeletedAt),
    retention_until: formatTimestamp(asset.retention_until),
    created_at: formatTimestamp(leaf.at),
    created_by: actor.parse(parseJsonText(asset.created_by_json)),
    evidence_hash: `sha256:${formatHex(leaf.hash)}`,
    erasure: erasedAt.length === 0 ? null : describeErasure(Math.max(...erasedAt), backupDays),
    ledger: {
      origin: workspace.origin,
      leaf_index: leaf.leaf_index,
      leaf_hash: formatHex(leaf.leaf_hash),
      entry: formatEntry(leaf),
    },
  };
}

/** Whether there are bytes to download; only an original has a size. */
function originalOf(stored: StoredAsset): EvidenceAsset['original'] {
  if (stored.content !== undefined) return 'stored';
  if (stored.asset.size_bytes === null) return 'none';
  assertErased(stored);
  return 'erased';
}

function describeErasure(at: number, backupDays: number): NonNullable<EvidenceAsset['erasure']> {
  return { online_at: formatTimestamp(at), backups_until: formatTimestamp(at + backupDays * MICROS_PER_DAY) };
}
