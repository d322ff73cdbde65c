import { knownPayload } from '@answer-evidence/contracts';
import { parseJsonText } from '@answer-evidence/encoding';
import { parseSegmentIndexes } from '@answer-evidence/ledger';
import { HELD_FROM } from '@answer-evidence/lifecycle';
import type { ErasedOriginal, EvidenceErasureStore } from '@answer-evidence/ports';
import type { FakeDatabase } from './fake-database.ts';

/** Which evidence of a workspace in memory is due, and what became of erased bytes. */
export function createFakeEvidenceErasureStore(database: FakeDatabase, workspaceId: string): EvidenceErasureStore {
  const { rows } = database;
  const isHere = (asked: string) => asked === workspaceId;
  function isKept(assetId: string): boolean {
    return [rows.evidence_originals, rows.evidence_segment_contents, rows.evidence_details].some((kept) =>
      kept.some((row) => row.asset_id === assetId),
    );
  }
  function originalOf(assetId: string): ErasedOriginal | undefined {
    const purge = rows.evidence_purges.find((row) => row.asset_id === assetId);
    if (purge === undefined) return undefined;
    const alsoHeldBy = rows.evidence_originals
      .filter((row) => row.content_id === purge.content_id)
      .map((row) => row.asset_id);
    return { assetId, contentId: purge.content_id, deletedAt: purge.deleted_at, alsoHeldBy: alsoHeldBy.sort() };
  }
  return {
    findDue(asked, nowMicros, after, limit) {
      const due = rows.evidence_dues
        .filter((row) => isHere(asked) && row.due_at < nowMicros)
        .map((row) => ({ dueAt: row.due_at, assetId: row.asset_id }))
        .sort((a, b) => a.dueAt - b.dueAt || (a.assetId < b.assetId ? -1 : 1))
        .filter(
          ({ dueAt, assetId }) =>
            after === undefined || dueAt > after.dueAt || (dueAt === after.dueAt && assetId > after.assetId),
        );
      return Promise.resolve(due.slice(0, limit));
    },
    countDue(asked, from, before, limit) {
      const due = rows.evidence_dues.filter(({ asset_id: id, due_at: at }) => at >= from && at < before && isKept(id));
      return Promise.resolve(isHere(asked) ? Math.min(due.length, limit) : 0);
    },
    countKept: (asked) =>
      Promise.resolve(isHere(asked) ? rows.evidence_dues.filter(({ asset_id: id }) => isKept(id)).length : 0),
    findHolding(asked, assetId) {
      const asset = rows.evidence_assets.find(({ id }) => isHere(asked) && id === assetId);
      if (asset === undefined) return Promise.resolve(undefined);
      const held = database.recordsHolding(assetId);
      const extensions = database.extensionsOf(held);
      const ends = database.rows.answer_records
        .filter(({ id }) => held.includes(id))
        .map((record) => record.retention_until);
      return Promise.resolve({
        retentionUntil: Math.max(asset.retention_until, ...ends),
        extensions: extensions.map((event) => knownPayload.parse(parseJsonText(event.payload_json))),
        holders: held.length + extensions.length,
        isErasable: isKept(assetId),
      });
    },
    postpone(asked, assetId, dueAt) {
      if (isHere(asked))
        rows.evidence_dues = rows.evidence_dues.map((row) =>
          row.asset_id === assetId && row.due_at < dueAt ? { ...row, due_at: dueAt } : row,
        );
      return Promise.resolve();
    },
    putOnHold(asked, assetIds, heldUntil) {
      if (isHere(asked))
        rows.evidence_dues = rows.evidence_dues.map((row) =>
          assetIds.includes(row.asset_id) && row.due_at < heldUntil ? { ...row, due_at: heldUntil } : row,
        );
      return Promise.resolve();
    },
    takeOffHold(asked, heldUntil, limit) {
      let taken = 0;
      if (isHere(asked))
        rows.evidence_dues = rows.evidence_dues.map((row) => {
          if (row.due_at < HELD_FROM || row.due_at >= heldUntil || taken === limit) return row;
          taken++;
          const asset = rows.evidence_assets.find(({ id }) => id === row.asset_id);
          return { ...row, due_at: asset?.retention_until ?? 0 };
        });
      return Promise.resolve(taken);
    },
    erasedOriginals(asked, assetIds) {
      return Promise.resolve(assetIds.flatMap((assetId) => (isHere(asked) ? (originalOf(assetId) ?? []) : [])));
    },
    redactedWith(asked, recordIds) {
      const own = rows.evidence_redactions.filter((row) => isHere(asked) && recordIds.includes(row.record_id));
      return Promise.resolve(
        own.map((row) => ({
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
      );
    },
    noteDeleted(asked, contentId, nowMicros) {
      rows.evidence_purges = rows.evidence_purges.map((row) =>
        isHere(asked) && row.content_id === contentId && row.deleted_at === null
          ? { ...row, deleted_at: nowMicros }
          : row,
      );
      return Promise.resolve();
    },
  };
}
