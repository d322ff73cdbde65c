import { knownPayload } from '@answer-evidence/contracts';
import { parseJsonText } from '@answer-evidence/encoding';
import { parseSegmentIndexes } from '@answer-evidence/ledger';
import type { ErasedOriginal, EvidenceErasureStore } from '@answer-evidence/ports';
import type { FakeDatabase } from './fake-database.ts';

/** Which evidence of a workspace in memory is due, and what became of erased bytes. */
export function createFakeEvidenceErasureStore(database: FakeDatabase, workspaceId: string): EvidenceErasureStore {
  const { evidence } = database;
  const isHere = (asked: string) => asked === workspaceId;
  function originalOf(assetId: string): ErasedOriginal | undefined {
    const purge = evidence.purges.get(assetId);
    if (purge === undefined) return undefined;
    const alsoHeldBy = [...evidence.originals].filter(([, content]) => content === purge.contentId).map(([id]) => id);
    return { assetId, ...purge, alsoHeldBy: alsoHeldBy.sort() };
  }
  return {
    findDue(asked, nowMicros, after, limit) {
      const due = [...evidence.dues]
        .filter(([, dueAt]) => isHere(asked) && dueAt < nowMicros)
        .map(([assetId, dueAt]) => ({ dueAt, assetId }))
        .sort((a, b) => a.dueAt - b.dueAt || (a.assetId < b.assetId ? -1 : 1))
        .filter(
          ({ dueAt, assetId }) =>
            after === undefined || dueAt > after.dueAt || (dueAt === after.dueAt && assetId > after.assetId),
        );
      return Promise.resolve(due.slice(0, limit));
    },
    findHolding(asked, assetId) {
      const asset = evidence.assets.find(({ id }) => isHere(asked) && id === assetId);
      if (asset === undefined) return Promise.resolve(undefined);
      const held = database.recordsHolding(assetId);
      const extensions = database.extensionsOf(held);
      const ends = database.records.filter(({ id }) => held.includes(id)).map((record) => record.retention_until);
      return Promise.resolve({
        retentionUntil: Math.max(asset.retention_until, ...ends),
        extensions: extensions.map((event) => knownPayload.parse(parseJsonText(event.payload_json))),
        holders: held.length + extensions.length,
        isErasable:
          evidence.originals.has(assetId) ||
          [...evidence.segmentContents.values(), ...evidence.details.values()].some((row) => row.asset_id === assetId),
      });
    },
    postpone(asked, assetId, dueAt) {
      if (isHere(asked) && (evidence.dues.get(assetId) ?? Infinity) < dueAt) evidence.dues.set(assetId, dueAt);
      return Promise.resolve();
    },
    erasedOriginals(asked, assetIds) {
      return Promise.resolve(assetIds.flatMap((assetId) => (isHere(asked) ? (originalOf(assetId) ?? []) : [])));
    },
    redactedWith(asked, recordIds) {
      const own = evidence.redactions.filter((row) => isHere(asked) && recordIds.includes(row.record_id));
      return Promise.resolve(
        own.map((row) => ({
          recordId: row.record_id,
          eventId: row.event_id,
          entryId: row.id,
          assetId: row.asset_id,
          segmentIds:
            parseSegmentIndexes(row.segments_json)?.flatMap(
              (index) =>
                evidence.segments.find((other) => other.asset_id === row.asset_id && other.segment_index === index)
                  ?.id ?? [],
            ) ?? null,
          original: originalOf(row.asset_id),
        })),
      );
    },
    noteDeleted(asked, contentId, nowMicros) {
      for (const [assetId, purge] of evidence.purges)
        if (isHere(asked) && purge.contentId === contentId && purge.deletedAt === null)
          evidence.purges.set(assetId, { contentId, deletedAt: nowMicros });
      return Promise.resolve();
    },
  };
}
