import type pg from 'pg';
import { holdPlacedCore, RECORD_FILTER_COLUMNS } from '@answer-evidence/contracts';
import { parseJsonText } from '@answer-evidence/encoding';
import { type HoldStore, type PlacedRecord, StoredDamageError, type StoredHold } from '@answer-evidence/ports';
import { LEAVES, WORKSPACE_ENTRIES, type WorkspaceEntryRow } from '@answer-evidence/tables';
import { countRows } from '../rows/count-rows.ts';
import { aliased, type JoinedRow, LEAF_SELECT, leafOf, pick } from '../rows/rows.ts';
import { readRows, readWorkspace } from '../session.ts';

const ENTRY_SELECT = aliased('w', WORKSPACE_ENTRIES);
const WITH_LEAF = `left join lateral (select ${LEAVES.columns.join(', ')} from answer_evidence.ledger_leaves x
  where x.workspace_id = $1 and x.leaf_index = w.leaf_index offset 0) l on true`;

/** As in the index of these entries. */
const RELEASED_ID = `substring(x.core_json from '"hold_id":"([0-9a-f-]{36})"')`;
const IS_RELEASED = `exists (select 1 from answer_evidence.workspace_entries x
  where x.workspace_id = $1 and x.type = 'hold_released' and ${RELEASED_ID} = w.id::text)`;
const OF_STATUS = { in_force: `and not ${IS_RELEASED}`, released: `and ${IS_RELEASED}` };
const PLACED = `from answer_evidence.workspace_entries w where w.workspace_id = $1 and w.type = 'hold_placed'`;

/** The holds of the workspace $1 that are in force, each with the time at which it was placed. */
export const HOLDS_IN_FORCE = `select 1 as items, l.at from (select w.leaf_index ${PLACED} ${OF_STATUS.in_force}) w
  cross join lateral (select x.at from answer_evidence.ledger_leaves x
    where x.workspace_id = $1 and x.leaf_index = w.leaf_index offset 0) l`;

const RECORD_COLUMNS = ['r.id, r.leaf_index, l.at', ...RECORD_FILTER_COLUMNS.map((column) => `r.${column}`)].join(', ');

/** Before every record. */
const UUID_MIN = '00000000-0000-0000-0000-000000000000';

type FoundRecord = Omit<PlacedRecord, 'leafIndex'> & { readonly leaf_index: number };

/** Holds, read from the entries of the log that place and release them. */
export function createHoldStore(pool: pg.Pool): HoldStore {
  return {
    inForce: (workspaceId) =>
      readWorkspace(pool, workspaceId, async (query) => {
        const [placed, counts] = await Promise.all([
          query<WorkspaceEntryRow & { leaf_index: number }>(
            'holds_in_force',
            `select w.id, w.type, w.seq, w.core_json, w.leaf_index ${PLACED} ${OF_STATUS.in_force}
               order by w.leaf_index`,
            [workspaceId],
          ),
          query<{ placed: number; released: number }>(
            'hold_counts',
            `select coalesce(max(seq) filter (where type = 'hold_placed'), 0) as placed,
                 coalesce(max(seq) filter (where type = 'hold_released'), 0) as released
               from answer_evidence.workspace_entries
               where workspace_id = $1 and type in ('hold_placed', 'hold_released')`,
            [workspaceId],
          ),
        ]);
        const [{ placed: count, released } = { placed: 0, released: 0 }] = counts;
        const holds = placed.map((row) => ({ ...coreOf(row), leafIndex: row.leaf_index }));
        return { placed: count, released, holds };
      }),

    list: (workspaceId, status, { beforeLeaf, offset, limit }) =>
      readWorkspace(pool, workspaceId, async (query) => {
        const from = `${PLACED} ${status === undefined ? '' : OF_STATUS[status]}`;
        const [rows, count] = await Promise.all([
          query<JoinedRow>(
            `holds_listed_${status ?? 'all'}`,
            `select ${ENTRY_SELECT}, ${LEAF_SELECT}
               from (select w.* ${from} and ($2::bigint is null or w.leaf_index < $2)
                 order by w.leaf_index desc offset $3 limit $4) w ${WITH_LEAF} order by w.leaf_index desc`,
            [workspaceId, beforeLeaf ?? null, offset, limit],
          ),
          countRows(query, `holds_counted_${status ?? 'all'}`, from, [workspaceId]),
        ]);
        const releases = await query<JoinedRow>(...releasesOf(workspaceId, rows));
        return { items: join(rows, releases), ...count };
      }),

    find: (workspaceId, holdId) =>
      readWorkspace(pool, workspaceId, async (query) => {
        const rows = await query<JoinedRow>(
          'hold',
          `select ${ENTRY_SELECT}, ${LEAF_SELECT} from answer_evidence.workspace_entries w ${WITH_LEAF}
             where w.workspace_id = $1 and w.id = $2 and w.type = 'hold_placed'`,
          [workspaceId, holdId],
        );
        return join(rows, await query<JoinedRow>(...releasesOf(workspaceId, rows)))[0];
      }),

    records: (workspaceId, recordIds) =>
      readRows<FoundRecord>(
        pool,
        'records_to_hold',
        `select ${RECORD_COLUMNS} from unnest($2::uuid[]) as asked (id)
           cross join lateral (select * from answer_evidence.answer_records x
             where x.workspace_id = $1 and x.id = asked.id offset 0) r
           cross join lateral (select x.at from answer_evidence.ledger_leaves x
             where x.workspace_id = $1 and x.leaf_index = r.leaf_index offset 0) l`,
        [workspaceId, recordIds],
      ).then((rows) => rows.map(toRecord)),

    recordsOfAsset: (workspaceId, assetId, after, limit) =>
      readRows<FoundRecord>(
        pool,
        'records_of_asset',
        `select ${RECORD_COLUMNS} from (
             select record_id as id from (
               select b.record_id
                 from (select x.id from answer_evidence.evidence_accesses x
                   where x.workspace_id = $1 and x.asset_id = $2 order by x.leaf_index offset 0) v
                 cross join lateral (select x.record_id from answer_evidence.evidence_bindings x
                   where x.workspace_id = $1 and x.access_id = v.id offset 0) b
               union select k.record_id from answer_evidence.evidence_links k
                 where k.workspace_id = $1 and k.asset_id = $2) held
             where record_id > $3 order by record_id limit $4) asked
           cross join lateral (select * from answer_evidence.answer_records x
             where x.workspace_id = $1 and x.id = asked.id offset 0) r
           cross join lateral (select x.at from answer_evidence.ledger_leaves x
             where x.workspace_id = $1 and x.leaf_index = r.leaf_index offset 0) l
           order by r.id`,
        [workspaceId, assetId, after ?? UUID_MIN, limit],
      ).then((rows) => rows.map(toRecord)),
  };
}

function toRecord({ leaf_index: leafIndex, ...record }: FoundRecord): PlacedRecord {
  return { ...record, leafIndex };
}

function releasesOf(workspaceId: string, holds: readonly JoinedRow[]): [string, string, readonly unknown[]] {
  return [
    'releases_of_holds',
    `select ${ENTRY_SELECT}, ${LEAF_SELECT}
       from unnest($2::text[]) as asked (id)
       cross join lateral (select * from answer_evidence.workspace_entries x
         where x.workspace_id = $1 and x.type = 'hold_released' and ${RELEASED_ID} = asked.id offset 0) w
       ${WITH_LEAF}`,
    [workspaceId, holds.map((row) => row['w_id'])],
  ];
}

function join(rows: readonly JoinedRow[], releases: readonly JoinedRow[]): readonly StoredHold[] {
  const ends = releases.map(placed);
  return rows.map((row) => {
    const hold = placed(row);
    return { ...hold, release: ends.find(({ row: end }) => end.core_json.includes(`"hold_id":"${hold.row.id}"`)) };
  });
}

function placed(joined: JoinedRow) {
  const row = pick(joined, 'w', WORKSPACE_ENTRIES);
  const leaf = leafOf(joined);
  if (leaf.id !== row.id || leaf.type !== row.type)
    throw new StoredDamageError('an entry about a hold is not the one of its leaf');
  return { row, leaf };
}

function coreOf(row: WorkspaceEntryRow) {
  const parsed = holdPlacedCore.safeParse(parseJsonText(row.core_json));
  if (!parsed.success) throw new StoredDamageError('an entry about a hold cannot be read', { cause: parsed.error });
  return parsed.data;
}
