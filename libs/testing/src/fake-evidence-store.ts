import { type EvidenceFilters, isWithin, knownPayload, NO_LIMITS, type Within } from '@answer-evidence/contracts';
import { parseJsonText } from '@answer-evidence/encoding';
import type { EvidenceStore, StoredAccess, StoredAsset } from '@answer-evidence/ports';
import type { EvidenceAssetRow } from '@answer-evidence/tables';
import type { FakeDatabase } from './fake-database.ts';
import { findLeafPage, hasValues, isCreatedWithin, type OfWorkspace } from './fake-store.ts';

/** Reads the evidence of a workspace in memory. */
export function evidenceOver(database: FakeDatabase): OfWorkspace<EvidenceStore> {
  const { rows } = database;
  const inOrder = <T extends { readonly leaf: { readonly leaf_index: number } }>(items: readonly T[]) =>
    items.toSorted((a, b) => a.leaf.leaf_index - b.leaf.leaf_index);

  function reasonOf(eventId: string): string | null {
    const event = database.rows.lifecycle_events.find(({ id }) => id === eventId);
    return event === undefined ? null : (knownPayload.parse(parseJsonText(event.payload_json)).reason_code ?? null);
  }

  function storedAsset(asset: EvidenceAssetRow): StoredAsset {
    const { id } = asset;
    const contentId = rows.evidence_originals.find((row) => row.asset_id === id)?.content_id;
    return {
      asset,
      leaf: database.leafOf(asset.entry_id),
      state: rows.evidence_states.find((row) => row.asset_id === id)?.state ?? 'available',
      details: rows.evidence_details.find((row) => row.object_id === id),
      content: rows.evidence_contents.find((row) => row.id === contentId),
      originalDeletedAt: rows.evidence_purges.find((row) => row.asset_id === id)?.deleted_at ?? null,
      redactions: inOrder(
        rows.evidence_redactions
          .filter((redaction) => redaction.asset_id === id)
          .map((redaction) => ({
            redaction,
            leaf: database.leafOf(redaction.id),
            reasonCode: reasonOf(redaction.event_id),
          })),
      ),
      expiries: inOrder(
        rows.evidence_expiries
          .filter((expiry) => expiry.asset_id === id)
          .map((expiry) => ({ expiry, leaf: database.leafOf(expiry.id) })),
      ),
    };
  }

  function isMatch({ asset, leaf, state, content }: StoredAsset, filters: EvidenceFilters & Within): boolean {
    const { answer_log_id: recordId } = filters;
    const isOfRecord = () =>
      rows.evidence_links.some((link) => link.record_id === recordId && link.asset_id === asset.id) ||
      rows.evidence_bindings.some(
        (binding) =>
          binding.record_id === recordId &&
          rows.evidence_accesses.some((access) => access.id === binding.access_id && access.asset_id === asset.id),
      );
    return (
      isWithin(filters.within ?? NO_LIMITS, asset) &&
      hasValues(asset, filters, ['application_key', 'kind', 'content_type']) &&
      (filters.state === undefined || filters.state === state) &&
      (filters.content_hash === undefined || filters.content_hash === content?.content_hash) &&
      (recordId === undefined || isOfRecord()) &&
      isCreatedWithin(filters, leaf.at)
    );
  }

  function storedAccess(id: string): StoredAccess {
    const access = rows.evidence_accesses.find((row) => row.id === id);
    if (access === undefined) throw new Error('no such access');
    return {
      access,
      leaf: database.leafOf(id),
      details: rows.evidence_details.find((row) => row.object_id === id),
      boundInto: rows.evidence_bindings.filter((row) => row.access_id === id).map((row) => row.record_id),
    };
  }

  const segmentsOf = (assetId: string) =>
    rows.evidence_segments
      .filter((row) => row.asset_id === assetId)
      .toSorted((a, b) => a.segment_index - b.segment_index);
  return {
    find(assetId) {
      const asset = rows.evidence_assets.find(({ id }) => id === assetId);
      return asset && storedAsset(asset);
    },
    list(filters, at) {
      const all = rows.evidence_assets.map(storedAsset).filter((stored) => isMatch(stored, filters));
      return findLeafPage(all.toReversed(), at);
    },
    segments: (assetId, ids) =>
      segmentsOf(assetId)
        .filter((row) => ids === null || ids.includes(row.id))
        .map((segment) => ({
          segment,
          contents: rows.evidence_segment_contents.find(
            (row) => row.asset_id === assetId && row.segment_index === segment.segment_index,
          ),
        })),
    segmentIds: (assetId) => segmentsOf(assetId).map(({ id }) => id),
    accesses(assetId, at) {
      const all = rows.evidence_accesses.filter((row) => row.asset_id === assetId).map(({ id }) => storedAccess(id));
      return findLeafPage(all.toReversed(), at);
    },
    boundAccesses: (recordId) =>
      inOrder(
        rows.evidence_bindings.filter((row) => row.record_id === recordId).map((row) => storedAccess(row.access_id)),
      ),
    sizeUnderKey(scope, key) {
      const used = rows.idempotency_keys.find((row) => row.scope === scope && row.idempotency_key === key);
      return rows.evidence_assets.find(({ id }) => id === used?.object_id)?.size_bytes ?? undefined;
    },
    existingContents: (ids) => new Set(ids.filter((id) => rows.evidence_contents.some((row) => row.id === id))),
  };
}
