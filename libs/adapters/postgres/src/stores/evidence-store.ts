import type pg from 'pg';
import { type EvidenceFilters, type EvidenceState, knownPayload, type Within } from '@answer-evidence/contracts';
import { parseJsonText, parseTimestamp } from '@answer-evidence/encoding';
import {
  type EvidenceStore,
  type StoredAccess,
  type StoredAsset,
  StoredDamageError,
  type StoredSegment,
  type WorkspaceDirectory,
  type WorkspaceVault,
} from '@answer-evidence/ports';
import {
  EVIDENCE_ACCESSES,
  EVIDENCE_ASSETS,
  EVIDENCE_CONTENTS,
  EVIDENCE_DETAILS,
  EVIDENCE_EXPIRIES,
  EVIDENCE_PURGES,
  EVIDENCE_REDACTIONS,
  EVIDENCE_SEGMENT_CONTENTS,
  EVIDENCE_SEGMENTS,
  type Table,
} from '@answer-evidence/tables';
import { countRows } from '../rows/count-rows.ts';
import { authenticated } from '../rows/row-macs.ts';
import { aliased, type JoinedRow, LEAF_SELECT, leafOf, pick } from '../rows/rows.ts';
import { type Query, readRow, readRows, readWorkspace } from '../session.ts';

const DETAILS_SELECT = aliased('d', EVIDENCE_DETAILS);
const ASSET_SELECT = `${aliased('a', EVIDENCE_ASSETS)}, ${LEAF_SELECT}, ${DETAILS_SELECT},
  ${aliased('c', EVIDENCE_CONTENTS)}, s.state,
  ${aliased('p', EVIDENCE_PURGES)}, p.mac as p_mac`;
// An asset whose leaf is gone must not look like one that was never made.
const ASSET_FROM = `from answer_evidence.evidence_assets a
  left join answer_evidence.ledger_leaves l on l.workspace_id = $1 and l.leaf_index = a.leaf_index and l.id = a.entry_id
  left join answer_evidence.evidence_details d on d.workspace_id = $1 and d.object_id = a.id
  left join answer_evidence.evidence_originals o on o.workspace_id = $1 and o.asset_id = a.id
  left join answer_evidence.evidence_contents c on c.workspace_id = $1 and c.id = o.content_id
  left join answer_evidence.evidence_states s on s.workspace_id = $1 and s.asset_id = a.id
  left join answer_evidence.evidence_purges p on p.workspace_id = $1 and p.asset_id = a.id`;

const ACCESS_SELECT = `select ${aliased('v', EVIDENCE_ACCESSES)}, ${LEAF_SELECT}, ${DETAILS_SELECT},
    array(select b.record_id from answer_evidence.evidence_bindings b
      where b.workspace_id = $1 and b.access_id = v.id order by b.record_id)::text[] as bound_into
  from answer_evidence.evidence_accesses v
  join answer_evidence.ledger_leaves l on l.workspace_id = $1 and l.leaf_index = v.leaf_index
  left join answer_evidence.evidence_details d on d.workspace_id = $1 and d.object_id = v.id`;

const TREE_SIZE = '(select tree_size from answer_evidence.ledger_heads where workspace_id = $1)';

/** Reads of evidence. Each method is one snapshot; its statements travel together. */
export function createEvidenceStore(pool: pg.Pool, directory: Pick<WorkspaceDirectory, 'get'>): EvidenceStore {
  return {
    async find(workspaceId, assetId) {
      const { vault } = await directory.get(workspaceId);
      return readWorkspace(pool, workspaceId, async (query) => {
        const rows = await query<JoinedRow>(
          'evidence_asset',
          `select ${ASSET_SELECT} ${ASSET_FROM} where a.workspace_id = $1 and a.id = $2`,
          [workspaceId, assetId],
        );
        return (await withErasures(query, workspaceId, vault, rows))[0];
      });
    },

    async list(workspaceId, filters, page) {
      const { vault } = await directory.get(workspaceId);
      return readWorkspace(pool, workspaceId, async (query) => {
        const where = whereOf(workspaceId, filters, page.beforeLeaf);
        const all = whereOf(workspaceId, filters);
        const [rows, counted] = await Promise.all([
          query<JoinedRow>(
            '',
            `select ${ASSET_SELECT} ${ASSET_FROM} where ${where.sql}
               order by a.leaf_index desc limit ${page.limit} offset ${page.offset}`,
            where.values,
          ),
          countRows(query, '', `${ASSET_FROM} where ${all.sql}`, all.values),
        ]);
        return { items: await withErasures(query, workspaceId, vault, rows), ...counted };
      });
    },

    async segments(workspaceId, assetId, ids) {
      const rows = await readRows<JoinedRow>(
        pool,
        'evidence_segments',
        `select ${aliased('g', EVIDENCE_SEGMENTS)}, ${aliased('t', EVIDENCE_SEGMENT_CONTENTS)}
             from answer_evidence.evidence_segments g
             left join answer_evidence.evidence_segment_contents t
               on t.workspace_id = $1 and t.asset_id = g.asset_id and t.segment_index = g.segment_index
             where g.workspace_id = $1 and g.asset_id = $2 and ($3::uuid[] is null or g.id = any($3::uuid[]))
             order by g.segment_index`,
        [workspaceId, assetId, ids],
      );
      return rows.map((row): StoredSegment => ({
        segment: pick(row, 'g', EVIDENCE_SEGMENTS),
        contents: found(row, 't', EVIDENCE_SEGMENT_CONTENTS, 't_asset_id'),
      }));
    },

    async segmentIds(workspaceId, assetId) {
      const rows = await readRows<{ id: string }>(
        pool,
        'evidence_segment_ids',
        `select id from answer_evidence.evidence_segments where workspace_id = $1 and asset_id = $2 order by segment_index`,
        [workspaceId, assetId],
      );
      return rows.map(({ id }) => id);
    },

    accesses: (workspaceId, assetId, { beforeLeaf, offset, limit }) =>
      readWorkspace(pool, workspaceId, async (query) => {
        const [rows, counted] = await Promise.all([
          query<JoinedRow>(
            '',
            `${ACCESS_SELECT} where v.workspace_id = $1 and v.asset_id = $2 and ($3::bigint is null or v.leaf_index < $3)
               order by v.leaf_index desc limit ${limit} offset ${offset}`,
            [workspaceId, assetId, beforeLeaf ?? null],
          ),
          countRows(
            query,
            'count_evidence_accesses',
            'from answer_evidence.evidence_accesses v where v.workspace_id = $1 and v.asset_id = $2',
            [workspaceId, assetId],
          ),
        ]);
        return { items: rows.map(accessOf), ...counted };
      }),

    async boundAccesses(workspaceId, recordId) {
      const rows = await readRows<JoinedRow>(
        pool,
        'bound_evidence_accesses',
        `${ACCESS_SELECT} where v.workspace_id = $1 and v.id in (
             select b.access_id from answer_evidence.evidence_bindings b where b.workspace_id = $1 and b.record_id = $2)
             order by v.leaf_index`,
        [workspaceId, recordId],
      );
      return rows.map(accessOf);
    },

    async sizeUnderKey(workspaceId, scope, key) {
      const row = await readRow<{ size_bytes: number | null }>(
        pool,
        'evidence_size_under_key',
        `select a.size_bytes from answer_evidence.idempotency_keys k
             join answer_evidence.evidence_assets a on a.workspace_id = $1 and a.id = k.object_id
             where k.workspace_id = $1 and k.scope = $2 and k.idempotency_key = $3`,
        [workspaceId, scope, key],
      );
      return row?.size_bytes ?? undefined;
    },

    async existingContents(workspaceId, contentIds) {
      const rows = await readRows<{ id: string }>(
        pool,
        'existing_evidence_contents',
        'select id from answer_evidence.evidence_contents where workspace_id = $1 and id = any($2::uuid[])',
        [workspaceId, contentIds],
      );
      return new Set(rows.map(({ id }) => id));
    },
  };
}

async function withErasures(
  query: Query,
  workspaceId: string,
  vault: WorkspaceVault,
  rows: readonly JoinedRow[],
): Promise<readonly StoredAsset[]> {
  const ids = rows.map((row) => row.a_id as string);
  if (ids.length === 0) return [];
  const erasuresOf = <Row>(alias: string, table: Table<Row>, more = '', join = '') =>
    query<JoinedRow>(
      table.name,
      `select ${aliased(alias, table)}, ${LEAF_SELECT}${more} from answer_evidence.${table.name} ${alias}
         join answer_evidence.ledger_leaves l on l.workspace_id = $1 and l.subject = ${alias}.asset_id and l.id = ${alias}.id ${join}
         where ${alias}.workspace_id = $1 and ${alias}.asset_id = any($2::uuid[]) order by l.leaf_index`,
      [workspaceId, ids],
    );
  const [redacted, expired] = await Promise.all([
    erasuresOf(
      'r',
      EVIDENCE_REDACTIONS,
      ', e.payload_json',
      'left join answer_evidence.lifecycle_events e on e.workspace_id = $1 and e.id = r.event_id',
    ),
    erasuresOf('x', EVIDENCE_EXPIRIES),
  ]);
  const redactions = redacted.map((row) => ({
    redaction: pick(row, 'r', EVIDENCE_REDACTIONS),
    leaf: leafOf(row),
    reasonCode: reasonOf(row.payload_json as string | null),
  }));
  const expiries = expired.map((row) => ({
    expiry: pick(row, 'x', EVIDENCE_EXPIRIES),
    leaf: leafOf(row),
  }));
  return rows.map((row): StoredAsset => {
    if (row.l_leaf_index === null) throw new StoredDamageError('an asset has no leaf');
    const asset = pick(row, 'a', EVIDENCE_ASSETS);
    return {
      asset,
      leaf: leafOf(row),
      state: (row.state as EvidenceState | null) ?? 'available',
      details: found(row, 'd', EVIDENCE_DETAILS, 'd_object_id'),
      content: found(row, 'c', EVIDENCE_CONTENTS, 'c_id'),
      originalDeletedAt: deletedAtOf(row, vault),
      redactions: redactions.filter(({ redaction }) => redaction.asset_id === asset.id),
      expiries: expiries.filter(({ expiry }) => expiry.asset_id === asset.id),
    };
  });
}

/** When the bytes of an original were deleted; null while they are there. What was altered is not repeated. */
function deletedAtOf(row: JoinedRow, vault: WorkspaceVault): number | null {
  const purge = found(row, 'p', EVIDENCE_PURGES, 'p_asset_id');
  if (purge === undefined) return null;
  authenticated(vault, EVIDENCE_PURGES, [{ ...purge, mac: row.p_mac as Uint8Array | null }]);
  return purge.deleted_at;
}

function reasonOf(payloadJson: string | null): string | null {
  return payloadJson === null ? null : (knownPayload.parse(parseJsonText(payloadJson)).reason_code ?? null);
}

function accessOf(row: JoinedRow): StoredAccess {
  return {
    access: pick(row, 'v', EVIDENCE_ACCESSES),
    leaf: leafOf(row),
    details: found(row, 'd', EVIDENCE_DETAILS, 'd_object_id'),
    boundInto: row.bound_into as readonly string[],
  };
}

/** The row of an outer join, undefined where its key is null. */
function found<Row>(row: JoinedRow, alias: string, table: Table<Row>, keyColumn: string): Row | undefined {
  return row[keyColumn] === null ? undefined : pick(row, alias, table);
}

function whereOf(workspaceId: string, filters: EvidenceFilters & Within, beforeLeaf?: number) {
  const values: unknown[] = [workspaceId];
  const conditions = ['a.workspace_id = $1'];
  function add(value: unknown, condition: (parameter: string) => string): void {
    if (value === undefined) return;
    values.push(value);
    conditions.push(condition(`$${values.length}`));
  }
  const firstLeafAt = (parameter: string) => `(select answer_evidence.first_leaf_at($1, ${parameter}, ${TREE_SIZE}))`;
  const timeOf = (text: string | undefined) => (text === undefined ? undefined : parseTimestamp(text));
  add(filters.application_key, (parameter) => `a.application_key = ${parameter}`);
  add(filters.within?.applications ?? undefined, (parameter) => `a.application_key = any(${parameter}::text[])`);
  add(filters.kind, (parameter) => `a.kind = ${parameter}`);
  add(filters.content_type, (parameter) => `a.content_type = ${parameter}`);
  add(filters.content_hash, (parameter) => `c.content_hash = ${parameter}`);
  add(filters.state, (parameter) => `coalesce(s.state, 'available') = ${parameter}`);
  add(
    filters.answer_log_id,
    (parameter) => `(exists (select 1 from answer_evidence.evidence_links k
        where k.workspace_id = $1 and k.record_id = ${parameter} and k.asset_id = a.id)
      or exists (select 1 from answer_evidence.evidence_bindings b
        join answer_evidence.evidence_accesses v on v.workspace_id = $1 and v.id = b.access_id
        where b.workspace_id = $1 and b.record_id = ${parameter} and v.asset_id = a.id))`,
  );
  add(timeOf(filters.created_after), (parameter) => `a.leaf_index >= ${firstLeafAt(parameter)}`);
  add(timeOf(filters.created_before), (parameter) => `a.leaf_index < ${firstLeafAt(parameter)}`);
  add(beforeLeaf, (parameter) => `a.leaf_index < ${parameter}`);
  return { sql: conditions.join(' and '), values };
}
