import type { OrphanRow } from '@answer-evidence/audit';
import { type AnyTable, EVIDENCE_LINKS, ownerColumn, tablesOf } from '@answer-evidence/tables';
import type { Query } from '../session.ts';
import { preferIndexes, preferWholeTables } from './prefer-plans.ts';

/** Most of each kind; there should be none. */
const ORPHANS_MAX = 10_000;

/** Rows that no leaf of their workspace's log is about, a kind at a time. */
export async function* readOrphans(query: Query, workspaceId: string): AsyncGenerator<readonly OrphanRow[]> {
  await preferWholeTables(query);
  for (const [kind, sql] of ORPHANS) {
    const rows = await query<{ id: string }>(`orphans_${kind}`, `${sql} limit ${ORPHANS_MAX}`, [workspaceId]);
    if (rows.length > 0) yield rows.map((row) => ({ kind, id: row.id }));
  }
  await preferIndexes(query);
}

const HAS_RECORD_LEAF = (id: string) =>
  `exists (select 1 from answer_evidence.ledger_leaves l
     where l.workspace_id = $1 and l.subject = ${id} and l.id = ${id} and l.type = 'answer_recorded')`;
const HAS_ASSET_LEAF = (id: string) =>
  `exists (select 1 from answer_evidence.ledger_leaves l
     where l.workspace_id = $1 and l.subject = ${id} and l.type = 'evidence_registered')`;
const HAS_RUN = (id: string) =>
  `exists (select 1 from answer_evidence.reconciliation_runs r where r.workspace_id = $1 and r.id = ${id})`;

/** Rows of a table whose owner is not there, by this id of theirs. */
function withoutOwner(table: AnyTable, hasOwner: (id: string) => string, id = ownerColumn(table)): string {
  return `select t.${id} as id from answer_evidence.${table.name} t
    where t.workspace_id = $1 and not ${hasOwner(`t.${ownerColumn(table)}`)}`;
}

/** Leaves about an owner that is not there. */
function leavesWithoutOwner(tables: readonly AnyTable[], hasOwner: (id: string) => string): string {
  const types = tables.flatMap(({ leafType }) => (leafType === undefined ? [] : `'${leafType}'`)).join(', ');
  return `select x.id from answer_evidence.ledger_leaves x
    where x.workspace_id = $1 and x.type in (${types}) and not ${hasOwner('x.subject')}`;
}

const OF_RECORDS = tablesOf('record');
const OF_ASSETS = tablesOf('asset');

/** Rows about evidence that hang on no leaf, by the asset, content, link or access that they name. */
const EVIDENCE_ORPHANS = [
  `select a.id from answer_evidence.evidence_assets a where a.workspace_id = $1 and not exists (
     select 1 from answer_evidence.ledger_leaves l
       where l.workspace_id = $1 and l.subject = a.id and l.id = a.entry_id and l.type = 'evidence_registered')`,
  ...OF_ASSETS.map((table) => withoutOwner(table, HAS_ASSET_LEAF)),
  `select c.id from answer_evidence.evidence_contents c where c.workspace_id = $1 and not exists (
     select 1 from answer_evidence.evidence_originals o where o.workspace_id = $1 and o.content_id = c.id)`,
  `select k.id from answer_evidence.evidence_links k where k.workspace_id = $1 and not exists (
     select 1 from answer_evidence.ledger_leaves l
       where l.workspace_id = $1 and l.subject = k.record_id and l.id = k.id and l.type = 'evidence_linked')`,
  `select b.access_id as id from answer_evidence.evidence_bindings b where b.workspace_id = $1 and not (
     exists (select 1 from answer_evidence.ledger_leaves l where l.workspace_id = $1 and l.subject = b.record_id
       and l.id = b.record_id and l.type = 'answer_recorded')
     and exists (select 1 from answer_evidence.evidence_accesses v where v.workspace_id = $1 and v.id = b.access_id))`,
  leavesWithoutOwner(OF_ASSETS, HAS_ASSET_LEAF),
].join(' union ');

const ORPHANS: readonly (readonly [string, string])[] = [
  [
    'reconciliation',
    tablesOf('run')
      .map((table) => withoutOwner(table, HAS_RUN))
      .join(' union '),
  ],
  ['evidence', EVIDENCE_ORPHANS],
  ...OF_RECORDS.map(
    (table) =>
      [
        table.noun ?? table.name,
        withoutOwner(table, HAS_RECORD_LEAF, table.columns.includes('id') ? 'id' : ownerColumn(table)),
      ] as const,
  ),
  [
    'sealed',
    `select c.object_id as id from answer_evidence.sealed_contents c where c.workspace_id = $1
       and not ${HAS_RECORD_LEAF('c.object_id')}
       and not exists (
         select 1 from answer_evidence.lifecycle_events e
         join answer_evidence.ledger_leaves l on l.workspace_id = $1 and l.subject = e.record_id and l.id = e.id
         where e.workspace_id = $1 and e.id = c.object_id)`,
  ],
  [
    'idempotency_key',
    `select k.object_id as id from answer_evidence.idempotency_keys k where k.workspace_id = $1
       and not exists (select 1 from answer_evidence.answer_records r where r.workspace_id = $1 and r.id = k.object_id
         and k.scope = 'record:' || r.application_key and r.idempotency_key = k.idempotency_key)
       and not exists (select 1 from answer_evidence.lifecycle_events e where e.workspace_id = $1 and e.id = k.object_id
         and k.scope = 'event:' || e.record_id and e.idempotency_key = k.idempotency_key)
       and not exists (select 1 from answer_evidence.evidence_assets a where a.workspace_id = $1 and a.id = k.object_id
         and k.scope = 'evidence:' || a.application_key and a.idempotency_key = k.idempotency_key)`,
  ],
  [
    'workspace_entry',
    `select w.id from answer_evidence.workspace_entries w where w.workspace_id = $1
       and not exists (select 1 from answer_evidence.ledger_leaves l
         where l.workspace_id = $1 and l.subject in ($1, w.id) and l.id = w.id and l.leaf_index = w.leaf_index)`,
  ],
  ['leaf', leavesWithoutOwner([...OF_RECORDS, EVIDENCE_LINKS], HAS_RECORD_LEAF)],
];
