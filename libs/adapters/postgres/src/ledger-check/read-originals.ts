import type pg from 'pg';
import type { OriginalsReader, StoredOriginal } from '@answer-evidence/ports';
import { readRow, readRows } from '../session.ts';

const PAGE = 200;

type Row = {
  readonly id: string;
  readonly size_bytes: number;
  readonly content_hash: string;
  readonly wrapped_key: Uint8Array;
  readonly asset_id: string;
  readonly leaf_index: number;
};

/** Reads the rows of originals as they are, for a check of their objects; the ledger check compares the rows. */
export function createOriginalsReader(pool: pg.Pool): OriginalsReader {
  return {
    async count(workspaceId) {
      const row = await readRow<{ count: number }>(
        pool,
        'count_originals',
        'select count(*) as count from answer_evidence.evidence_contents where workspace_id = $1',
        [workspaceId],
      );
      return row?.count ?? 0;
    },

    async page(workspaceId, after) {
      const rows = await readRows<Row>(
        pool,
        'originals_page',
        `select c.id, c.size_bytes, c.content_hash, c.wrapped_key, a.id as asset_id, a.leaf_index
           from (select * from answer_evidence.evidence_contents
                  where workspace_id = $1 and ($2::uuid is null or id > $2) order by id limit ${PAGE}) c
           cross join lateral (
             select x.id, x.leaf_index from answer_evidence.evidence_originals o
               join answer_evidence.evidence_assets x on x.workspace_id = $1 and x.id = o.asset_id
              where o.workspace_id = $1 and o.content_id = c.id order by x.leaf_index limit 1) a
          order by c.id`,
        [workspaceId, after],
      );
      return rows.map((row): StoredOriginal => ({
        contentId: row.id,
        sizeBytes: row.size_bytes,
        contentHash: row.content_hash,
        wrappedKey: row.wrapped_key,
        assetId: row.asset_id,
        leafIndex: row.leaf_index,
      }));
    },

    async isThere(workspaceId, contentId) {
      const row = await readRow<{ id: string }>(
        pool,
        'is_original',
        'select id from answer_evidence.evidence_contents where workspace_id = $1 and id = $2',
        [workspaceId, contentId],
      );
      return row !== undefined;
    },
  };
}
