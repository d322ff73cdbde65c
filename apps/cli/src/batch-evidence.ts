import type { EvidenceAccess, EvidenceAsset, RetrievedEvidence } from '@answer-evidence/contracts';
import { asFields, asTable, type Block } from './output/blocks.ts';
import { formatBytes } from './progress-bar.ts';

const size = ({ size_bytes: bytes }: EvidenceAsset): string | null => (bytes === null ? null : formatBytes(bytes));

/** Assets for people. */
export function viewAssets(assets: readonly EvidenceAsset[]): Block {
  return asTable(
    ['id', 'created', 'application', 'kind', 'type', 'size', 'state', 'name'],
    assets.map((asset) => [
      asset.id,
      asset.created_at,
      asset.application_key,
      asset.kind,
      asset.content_type,
      size(asset),
      asset.state,
      asset.name,
    ]),
  );
}

/** One asset for people. */
export function viewAsset(asset: EvidenceAsset): Block {
  return asFields([
    ['id', asset.id],
    ['name', asset.name],
    ['application', asset.application_key],
    ['kind', asset.kind],
    ['content type', asset.content_type],
    ['size', size(asset)],
    ['content hash', asset.content_hash],
    ['segments', asset.segment_count],
    ['segments root', asset.segments_root],
    ['external uri', asset.external_uri],
    ['state', asset.state],
    ['original', asset.original],
    ['original deleted', asset.original_deleted_at],
    ['retained until', asset.retention_until],
    ['created', asset.created_at],
    ['leaf', asset.ledger.leaf_index],
  ]);
}

/** What a retrieval gave, for people: what to bind first, then each segment with its text or why there is none. */
export function viewRetrieved({ access_event_id, source_ref, segments }: RetrievedEvidence): readonly Block[] {
  const { source_ref_id: id } = source_ref;
  const head = asFields([
    ['access event', access_event_id],
    ['source ref', typeof id === 'string' ? id : null],
  ]);
  const rows = segments.map((segment) => [segment.index, segment.segment_id, contentOf(segment)]);
  return [head, asTable(['index', 'segment', 'content'], rows)];
}

function contentOf(segment: RetrievedEvidence['segments'][number]): string {
  if ('text' in segment) return segment.text;
  if ('tombstone' in segment)
    return `gone since ${segment.tombstone.redacted_at} (${segment.tombstone.reason_code ?? 'redacted'})`;
  return 'omitted' in segment
    ? '(too large: download the original)'
    : '(not text: --output json, or download the original)';
}

/** Accesses for people. */
export function viewAccesses(accesses: readonly EvidenceAccess[]): Block {
  return asTable(
    ['id', 'at', 'who', 'access', 'segments', 'purpose', 'bound into'],
    accesses.map((access) => [
      access.id,
      access.created_at,
      `${access.actor.kind} ${access.actor.id}`,
      access.access,
      access.segment_ids === null ? 'all' : access.segment_ids.length,
      access.purpose,
      access.bound_into.join(' '),
    ]),
  );
}
