import { canonicalize, parseJsonText } from '@answer-evidence/encoding';
import { parseSegmentIndexes, type PreparedEvidenceRedaction } from '@answer-evidence/ledger';
import {
  type Clock,
  type EvidenceStore,
  newId,
  newNonce,
  type RandomSource,
  type StoredAccess,
  type StoredAsset,
  type StoredRecord,
  type Workspace,
} from '@answer-evidence/ports';
import type { AssetDetails, EvidenceDetailRow, EvidenceRedactionRow } from '@answer-evidence/tables';

type Deps = { readonly evidence: EvidenceStore; readonly clock: Clock; readonly random: RandomSource };

/**
 * What evidence a redaction takes away: what was reached by the accesses that the record binds and whose issued
 * `source_ref_id` is named. What a caller wrote inside of a source ref names nothing here, so nobody can have another's
 * asset destroyed by mentioning it.
 */
export async function prepareEvidenceRedactions(
  deps: Deps,
  workspace: Workspace,
  { record }: StoredRecord,
  bound: readonly StoredAccess[],
  sourceRefIds: readonly string[],
  eventId: string,
): Promise<readonly PreparedEvidenceRedaction[]> {
  const named = bound.filter(({ access }) => sourceRefIds.includes(access.source_ref_id));
  const prepared: PreparedEvidenceRedaction[] = [];
  for (const [assetId, accesses] of Map.groupBy(named, ({ access }) => access.asset_id)) {
    const stored = await deps.evidence.find(workspace.id, assetId);
    if (stored === undefined) continue;
    const segments = joinSegments(accesses, stored.asset.segment_count);
    const left = await deps.evidence.segments(workspace.id, assetId, null);
    const isLeft = left.some(({ segment, contents }) => {
      return contents !== undefined && (segments === null || segments.includes(segment.segment_index));
    });
    const details = planDetails(workspace, stored, segments);
    const erasesDetails = details.isErased || accesses.some((access) => access.details !== undefined);
    // A redaction or an expiry before has taken everything: there is nothing to state.
    if (stored.content === undefined && !isLeft && !erasesDetails) continue;
    const row: EvidenceRedactionRow = {
      asset_id: assetId,
      id: newId(deps),
      nonce: newNonce(deps),
      record_id: record.id,
      event_id: eventId,
      access_ids_json: canonicalize(accesses.map(({ access }) => access.id)),
      segments_json: canonicalize(segments === null ? null : [...segments]),
    };
    const now = deps.clock.nowMicros();
    prepared.push({
      assetId,
      atErasures: stored.redactions.length + stored.expiries.length,
      segments,
      detailsOf: [...(details.isErased ? [assetId] : []), ...accesses.map(({ access }) => access.id)],
      details: details.row,
      purge: { id: newId(deps), created_at: now, due_at: now },
      row,
    });
  }
  return prepared;
}

/** The indexes that accesses reached, in order; null: all of them, as by a download. */
function joinSegments(accesses: readonly StoredAccess[], count: number): readonly number[] | null {
  const joined = new Set<number>();
  for (const { access } of accesses) {
    const segments = parseSegmentIndexes(access.segments_json);
    if (segments === null) return null;
    for (const index of segments) joined.add(index);
  }
  return joined.size === count ? null : [...joined].sort((a, b) => a - b);
}

/** What happens to an asset's details: all go with everything, only the hash of the whole with a part. */
function planDetails(
  { vault }: Workspace,
  { asset, details }: StoredAsset,
  segments: readonly number[] | null,
): { readonly isErased: boolean; readonly row: EvidenceDetailRow | null } {
  if (details === undefined) return { isErased: false, row: null };
  if (segments === null) return { isErased: true, row: null };
  // What authenticates was written by this service, so its shape needs no check.
  const opened = parseJsonText(
    vault.openObjectKey(asset.id, details.wrapped_key).open('details', details.sealed),
  ) as unknown as AssetDetails;
  if (opened.content_hash === null) return { isErased: false, row: null };
  const left: AssetDetails = { ...opened, content_hash: null };
  if (Object.values(left).every((detail) => detail === null)) return { isErased: true, row: null };
  const key = vault.createObjectKey(asset.id);
  const sealed = key.seal('details', JSON.stringify(left));
  return {
    isErased: true,
    row: { object_id: asset.id, asset_id: asset.id, wrapped_key: key.wrapped, sealed },
  };
}
