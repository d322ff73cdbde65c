import { knownPayload } from '@answer-evidence/contracts';
import { parseJsonText } from '@answer-evidence/encoding';
import { parseSegmentIndexes } from '@answer-evidence/ledger';
import type { ErasedOriginal, EvidenceErasureStore } from '@answer-evidence/ports';
import type { FakeDatabase } from './fake-database.ts';
import { createFakeDues } from './fake-dues.ts';
import type { OfWorkspace } from './fake-store.ts';

/** Which evidence of a workspace in memory is due, and what became of erased bytes. */
export function evidenceErasuresOver(database: FakeDatabase): OfWorkspace<EvidenceErasureStore> {
  const { rows } = database;
  const isKept = (assetId: string) =>
    [rows.evidence_originals, rows.evidence_segment_contents, rows.evidence_details].some((kept) =>
      kept.some((row) => row.asset_id === assetId),
    );
  function originalOf(assetId: string): ErasedOriginal | undefined {
    const purge = rows.evidence_purges.find((row) => row.asset_id === assetId);
    if (purge === undefined) return undefined;
    const alsoHeldBy = rows.evidence_originals
      .filter((row) => row.content_id === purge.content_id)
      .map((row) => row.asset_id);
    return { assetId, contentId: purge.content_id, deletedAt: purge.deleted_at, alsoHeldBy: alsoHeldBy.sort() };
  }
  const dues = createFakeDues(
    () => rows.evidence_dues,
    (row) => row.asset_id,
    (row) => rows.evidence_assets.find(({ id }) => id === row.asset_id)?.retention_until ?? 0,
    (row) => isKept(row.asset_id),
  );
  return {
    ...dues,
    findDue: (nowMicros, after, limit) =>
      dues
        .findDue(nowMicros, after && { dueAt: after.dueAt, id: after.assetId }, limit)
        .map((row) => ({ dueAt: row.due_at, assetId: row.asset_id })),
    findHolding(assetId) {
      const asset = rows.evidence_assets.find(({ id }) => id === assetId);
      if (asset === undefined) return undefined;
      const held = database.recordsHolding(assetId);
      const extensions = database.extensionsOf(held);
      const ends = rows.answer_records.filter(({ id }) => held.includes(id)).map((record) => record.retention_until);
      return {
        retentionUntil: Math.max(asset.retention_until, ...ends),
        extensions: extensions.map((event) => knownPayload.parse(parseJsonText(event.payload_json))),
        holders: held.length + extensions.length,
        isErasable: isKept(assetId),
      };
    },
    erasedOriginals: (assetIds) => assetIds.flatMap((assetId) => originalOf(assetId) ?? []),
    redactedWith: (recordIds) =>
      rows.evidence_redactions
        .filter((row) => recordIds.includes(row.record_id))
        .map((row) => ({
          recordId: row.record_id,
          eventId: row.event_id,
          entryId: row.id,
          assetId: row.asset_id,
          segmentIds:
            parseSegmentIndexes(row.segments_json)?.flatMap(
              (index) =>
                rows.evidence_segments.find((other) => other.asset_id === row.asset_id && other.segment_index === index)
                  ?.id ?? [],
            ) ?? null,
          original: originalOf(row.asset_id),
        })),
    noteDeleted(contentId, nowMicros) {
      rows.evidence_purges = rows.evidence_purges.map((row) =>
        row.content_id === contentId && row.deleted_at === null ? { ...row, deleted_at: nowMicros } : row,
      );
    },
  };
}
