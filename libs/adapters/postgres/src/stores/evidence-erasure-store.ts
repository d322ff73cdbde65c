import type pg from 'pg';
import { knownPayload } from '@answer-evidence/contracts';
import { parseJsonText } from '@answer-evidence/encoding';
import { parseSegmentIndexes } from '@answer-evidence/ledger';
import type { ErasedOriginal, EvidenceErasureStore, WorkspaceDirectory } from '@answer-evidence/ports';
import { EVIDENCE_DUES, EVIDENCE_PURGES, type RowOf } from '@answer-evidence/tables';
import { authenticated, columnsWithMac, macOfRow } from '../rows/row-macs.ts';
import { type Query, readRow, readRows, readWorkspace, writeWorkspace } from '../session.ts';
import { createHeldEvidence } from './held-evidence.ts';

/** Before every asset. */
const UUID_MIN = '00000000-0000-0000-0000-000000000000';
const BIGINT_MIN = '-9223372036854775808';
/** How many assets of equal bytes are named. */
const HOLDERS_MAX = 100;

/** Every record that binds an access to the asset $2 or is linked to it, as often as it does. */
const HELD = `select b.record_id from answer_evidence.evidence_accesses v
    join answer_evidence.evidence_bindings b on b.workspace_id = $1 and b.access_id = v.id
    where v.workspace_id = $1 and v.asset_id = $2
  union all select k.record_id from answer_evidence.evidence_links k where k.workspace_id = $1 and k.asset_id = $2`;

/** Whether anything of the asset of the row u could be erased. */
const IS_KEPT = `(exists (select 1 from answer_evidence.evidence_originals o
      where o.workspace_id = $1 and o.asset_id = u.asset_id)
    or exists (select 1 from answer_evidence.evidence_segment_contents s
      where s.workspace_id = $1 and s.asset_id = u.asset_id)
    or exists (select 1 from answer_evidence.evidence_details d
      where d.workspace_id = $1 and d.asset_id = u.asset_id))`;

/** Which evidence may have to expire, by the index on `due_at`, and what became of erased bytes. */
export function createEvidenceErasureStore(pool: pg.Pool, directory: WorkspaceDirectory): EvidenceErasureStore {
  return {
    async findDue(workspaceId, nowMicros, after, limit) {
      const rows = await readRows<{ due_at: number; asset_id: string }>(
        pool,
        'due_evidence',
        `select due_at, asset_id from answer_evidence.evidence_dues
             where workspace_id = $1 and due_at < $2 and (due_at, asset_id) > ($3, $4)
             order by due_at, asset_id limit $5`,
        [workspaceId, nowMicros, after?.dueAt ?? BIGINT_MIN, after?.assetId ?? UUID_MIN, limit],
      );
      return rows.map((row) => ({ dueAt: row.due_at, assetId: row.asset_id }));
    },

    async countDue(workspaceId, from, before, limit) {
      const row = await readRow<{ due: number }>(
        pool,
        'count_due_evidence',
        `select count(*) as due from (select 1 from answer_evidence.evidence_dues u
             where u.workspace_id = $1 and u.due_at >= $2 and u.due_at < $3 and ${IS_KEPT} limit $4) d`,
        [workspaceId, from, before, limit],
      );
      return row?.due ?? 0;
    },
    async countKept(workspaceId) {
      const row = await readRow<{ kept: number }>(
        pool,
        'count_kept_evidence',
        `select count(*) as kept from answer_evidence.evidence_dues u where u.workspace_id = $1 and ${IS_KEPT}`,
        [workspaceId],
      );
      return row?.kept ?? 0;
    },

    findHolding: (workspaceId, assetId) =>
      readWorkspace(pool, workspaceId, async (query) => {
        const values = [workspaceId, assetId];
        const [assets, held, extensions] = await Promise.all([
          query<{ retention_until: number; erasable: boolean }>(
            'held_evidence_asset',
            `select retention_until,
                exists (select 1 from answer_evidence.evidence_originals where workspace_id = $1 and asset_id = $2)
                or exists (select 1 from answer_evidence.evidence_segment_contents where workspace_id = $1 and asset_id = $2)
                or exists (select 1 from answer_evidence.evidence_details where workspace_id = $1 and asset_id = $2)
                  as erasable
               from answer_evidence.evidence_assets where workspace_id = $1 and id = $2`,
            values,
          ),
          query<{ holders: number; retention_until: number | null }>(
            'evidence_holders',
            `with held as (${HELD})
             select count(*) as holders, max(r.retention_until) as retention_until
               from held left join answer_evidence.answer_records r on r.workspace_id = $1 and r.id = held.record_id`,
            values,
          ),
          query<{ payload_json: string }>(
            'evidence_extensions',
            `with held as (${HELD})
             select e.payload_json from held
               join answer_evidence.lifecycle_events e
                 on e.workspace_id = $1 and e.record_id = held.record_id and e.event_type = 'retention_extended'`,
            values,
          ),
        ]);
        const [asset] = assets;
        if (asset === undefined) return undefined;
        const [records] = held;
        return {
          retentionUntil: Math.max(asset.retention_until, records?.retention_until ?? 0),
          extensions: extensions.map((row) => knownPayload.parse(parseJsonText(row.payload_json))),
          holders: (records?.holders ?? 0) + extensions.length,
          isErasable: asset.erasable,
        };
      }),

    async postpone(workspaceId, assetId, dueAt) {
      const { vault } = await directory.get(workspaceId);
      await writeWorkspace(pool, workspaceId, async (query) => {
        const rows = await query<RowOf<typeof EVIDENCE_DUES> & { mac: Uint8Array }>(
          'evidence_due',
          `select ${columnsWithMac(EVIDENCE_DUES)} from answer_evidence.evidence_dues
             where workspace_id = $1 and asset_id = $2 and due_at < $3 for update`,
          [workspaceId, assetId, dueAt],
        );
        for (const row of authenticated(vault, EVIDENCE_DUES, rows))
          await query(
            'postpone_evidence',
            'update answer_evidence.evidence_dues set due_at = $3, mac = $4 where workspace_id = $1 and asset_id = $2',
            [workspaceId, assetId, dueAt, macOfRow(vault, EVIDENCE_DUES, { ...row, due_at: dueAt })],
          );
      });
    },

    ...createHeldEvidence(pool, directory),

    erasedOriginals: (workspaceId, assetIds) =>
      readWorkspace(pool, workspaceId, (query) => findOriginals(query, workspaceId, assetIds)),

    redactedWith: (workspaceId, recordIds) =>
      readWorkspace(pool, workspaceId, async (query) => {
        const rows = await query<RedactionFound>(
          'redacted_evidence',
          `select r.record_id, r.event_id, r.id, r.asset_id, r.segments_json,
              array(select g.id from answer_evidence.evidence_segments g
                where r.segments_json <> 'null' and g.workspace_id = $1 and g.asset_id = r.asset_id
                order by g.segment_index)::text[] as segment_ids
             from answer_evidence.evidence_redactions r
             join answer_evidence.ledger_leaves l on l.workspace_id = $1 and l.subject = r.asset_id and l.id = r.id
             where r.workspace_id = $1 and r.record_id = any($2::uuid[])
             order by r.record_id, l.leaf_index`,
          [workspaceId, recordIds],
        );
        if (rows.length === 0) return [];
        const assetIds = [...new Set(rows.map((row) => row.asset_id))];
        const originals = new Map(
          (await findOriginals(query, workspaceId, assetIds)).map((original) => [original.assetId, original]),
        );
        return rows.map((row) => ({
          recordId: row.record_id,
          eventId: row.event_id,
          entryId: row.id,
          assetId: row.asset_id,
          segmentIds: parseSegmentIndexes(row.segments_json)?.flatMap((index) => row.segment_ids[index] ?? []) ?? null,
          original: originals.get(row.asset_id),
        }));
      }),

    async noteDeleted(workspaceId, contentId, nowMicros) {
      const { vault } = await directory.get(workspaceId);
      await writeWorkspace(pool, workspaceId, async (query) => {
        const rows = await query<RowOf<typeof EVIDENCE_PURGES> & { mac: Uint8Array }>(
          'evidence_purges',
          `select ${columnsWithMac(EVIDENCE_PURGES)} from answer_evidence.evidence_purges
             where workspace_id = $1 and content_id = $2 and deleted_at is null for update`,
          [workspaceId, contentId],
        );
        for (const row of authenticated(vault, EVIDENCE_PURGES, rows))
          await query(
            'note_deleted_content',
            'update answer_evidence.evidence_purges set deleted_at = $3, mac = $4 where workspace_id = $1 and asset_id = $2',
            [workspaceId, row.asset_id, nowMicros, macOfRow(vault, EVIDENCE_PURGES, { ...row, deleted_at: nowMicros })],
          );
      });
    },
  };
}

type RedactionFound = {
  record_id: string;
  event_id: string;
  id: string;
  asset_id: string;
  segments_json: string;
  segment_ids: readonly string[];
};

async function findOriginals(
  query: Query,
  workspaceId: string,
  assetIds: readonly string[],
): Promise<readonly ErasedOriginal[]> {
  const rows = await query<{ asset_id: string; content_id: string; deleted_at: number | null; held: string[] }>(
    'erased_originals',
    `select p.asset_id, p.content_id, p.deleted_at,
        array(select o.asset_id from answer_evidence.evidence_originals o
          where o.workspace_id = $1 and o.content_id = p.content_id order by o.asset_id limit ${HOLDERS_MAX})::text[] as held
       from answer_evidence.evidence_purges p where p.workspace_id = $1 and p.asset_id = any($2::uuid[])`,
    [workspaceId, assetIds],
  );
  return rows.map((row) => ({
    assetId: row.asset_id,
    contentId: row.content_id,
    deletedAt: row.deleted_at,
    alsoHeldBy: row.held,
  }));
}
