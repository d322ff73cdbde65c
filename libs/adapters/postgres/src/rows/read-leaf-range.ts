import type { LeafRange, LedgerRows } from '@answer-evidence/audit';
import {
  type AnyTable,
  IDEMPOTENCY,
  type IdempotencyRow,
  type LeafRow,
  LEAVES,
  OF_A_RECORD,
  ownerColumn,
  readTables,
  SEALED,
  type SealedRow,
} from '@answer-evidence/tables';
import type { Query } from '../session.ts';
import { select } from './rows.ts';

/** The leaves of logs, as `l`. */
export const FROM_LEAVES = `from answer_evidence.ledger_leaves l`;
/** Of the workspace $1, those from $2 to before $3. */
export const IN_RANGE = `l.workspace_id = $1 and l.leaf_index >= $2 and l.leaf_index < $3`;
const RECORDED_IN_RANGE = `${IN_RANGE} and l.type = 'answer_recorded'`;

/** How many leaves a range has at most, and about how many bytes their rows: they are held at once. */
const RANGE_LEAVES_MAX = 256;
const RANGE_BYTES_MAX = 4 * 1024 * 1024;
/** Of how many leaves the sizes are read at once. */
const SIZES_AT_ONCE = 1_024;
/** About what a row takes besides what is sealed. */
const ROW_BYTES = 2_048;

type LeafSize = { readonly leaf_index: number; readonly size: number };

/** Of what is sealed the length is known without reading it. Each subquery goes by a key. */
const SIZES = `select l.leaf_index, (
    ${ROW_BYTES}
    + coalesce((select sum(${ROW_BYTES} + coalesce((
          select coalesce(octet_length(c.texts), 0) + coalesce(octet_length(c.items), 0)
            from answer_evidence.sealed_contents c where c.workspace_id = $1 and c.object_id = s.id), 0))
        from answer_evidence.ledger_leaves s where s.workspace_id = $1 and s.subject = l.id), 0)
    + case l.type when 'evidence_registered' then coalesce((
        select sum(${ROW_BYTES} + octet_length(g.sealed)) from answer_evidence.evidence_segment_contents g
          where g.workspace_id = $1 and g.asset_id = l.subject), 0) else 0 end)::bigint as size
  ${FROM_LEAVES} where ${IN_RANGE} order by l.leaf_index limit ${SIZES_AT_ONCE}`;

/** How many leaves are asked at once for what they speak of, and how many of those are read together at most. */
const SPEAKING_AT_ONCE = 8_192;
const SPOKEN_LEAVES_MAX = 16;
const SPOKEN_OF = `select distinct r.leaf_index ${FROM_LEAVES}
  join answer_evidence.ledger_leaves r on r.workspace_id = $1 and r.subject = l.subject and r.leaf_index < $4
    and r.type in ('answer_recorded', 'evidence_registered')
  where ${IN_RANGE} and l.subject <> $1 and l.type not in ('answer_recorded', 'evidence_registered')
  order by r.leaf_index`;

/** The leaves of a log within a range, in ranges whose rows can be held at once. */
export async function* readRanges(query: Query, workspaceId: string, within: LeafRange): AsyncGenerator<LeafRange> {
  for (let { from } = within; ;) {
    const sizes = await query<LeafSize>('range_sizes', SIZES, [workspaceId, from, within.to]);
    yield* rangesOf(sizes);
    const last = sizes.at(-1);
    if (last === undefined || sizes.length < SIZES_AT_ONCE) return;
    from = last.leaf_index + 1;
  }
}

/** The leaves of records and assets before `since`, of which a leaf from there on speaks; some more than once. */
export async function* readSpokenOf(query: Query, workspaceId: string, since: number): AsyncGenerator<LeafRange> {
  const [end] = await query<{ size: number }>(
    'spoken_end',
    'select coalesce(max(leaf_index), -1) + 1 as size from answer_evidence.ledger_leaves where workspace_id = $1',
    [workspaceId],
  );
  for (let from = since; from < (end?.size ?? 0); from += SPEAKING_AT_ONCE) {
    const spoken = await query<{ leaf_index: number }>('spoken_of', SPOKEN_OF, [
      workspaceId,
      from,
      from + SPEAKING_AT_ONCE,
      since,
    ]);
    let [first, to] = [-1, -1];
    for (const { leaf_index: at } of spoken) {
      if (at === to && to - first < SPOKEN_LEAVES_MAX) to += 1;
      else {
        if (to >= 0) yield { from: first, to };
        [first, to] = [at, at + 1];
      }
    }
    if (to >= 0) yield { from: first, to };
  }
}

/** Ranges of leaves by what each of them takes; one that takes more than a range should is a range by itself. */
export function* rangesOf(leaves: readonly LeafSize[]): Generator<LeafRange> {
  let [first, count, bytes] = [0, 0, 0];
  for (const [n, { leaf_index: leafIndex, size }] of leaves.entries()) {
    if (count === 0) first = leafIndex;
    count += 1;
    bytes += size;
    const next = leaves[n + 1];
    if (next !== undefined && count < RANGE_LEAVES_MAX && bytes + next.size <= RANGE_BYTES_MAX) continue;
    yield { from: first, to: leafIndex + 1 };
    [count, bytes] = [0, 0];
  }
}

/** Rows of a table that name a record whose `answer_recorded` leaf is in the range. */
function ofRecords(table: AnyTable, recordColumn: string): string {
  return `select ${select('t', table)} ${FROM_LEAVES}
    join answer_evidence.${table.name} t on t.workspace_id = $1 and t.${recordColumn} = l.id where ${RECORDED_IN_RANGE}`;
}

/** All that is stored about the leaves of a range: those from `from` to before `to`. */
export async function readLeafRange(query: Query, workspaceId: string, from: number, to: number): Promise<LedgerRows> {
  const all = <Row extends object>(name: string, sql: string) =>
    query<Row & Record<string, unknown>>(name, sql, [workspaceId, from, to]);
  const [leaves, recordRows, subjectLeaves, sealed, idempotency] = await Promise.all([
    all<LeafRow>(
      'range_leaves',
      `select ${select('l', LEAVES)} ${FROM_LEAVES} where ${IN_RANGE} order by l.leaf_index`,
    ),
    readTables(OF_A_RECORD, (table) => all(`range_of_${table.name}`, ofRecords(table, ownerColumn(table)))),
    all<LeafRow>('range_subject_leaves', ofRecords(LEAVES, 'subject')),
    all<SealedRow>(
      'range_sealed',
      `select ${select('c', SEALED)} from answer_evidence.sealed_contents c
         where c.workspace_id = $1 and c.object_id in (
           select l.id ${FROM_LEAVES} where ${RECORDED_IN_RANGE}
           union
           select s.id ${FROM_LEAVES} join answer_evidence.ledger_leaves s on s.workspace_id = $1 and s.subject = l.id
             where ${RECORDED_IN_RANGE})`,
    ),
    all<IdempotencyRow>(
      'range_idempotency',
      `select ${select('k', IDEMPOTENCY)} from answer_evidence.idempotency_keys k
         where k.workspace_id = $1 and (k.scope, k.idempotency_key) in (
           select 'record:' || r.application_key, r.idempotency_key ${FROM_LEAVES}
             join answer_evidence.answer_records r on r.workspace_id = $1 and r.id = l.id
             where ${RECORDED_IN_RANGE} and r.key_claim is null
           union
           select 'evidence:' || a.application_key, a.idempotency_key ${FROM_LEAVES}
             join answer_evidence.evidence_assets a on a.workspace_id = $1 and a.id = l.subject and a.entry_id = l.id
             where ${IN_RANGE}
           union
           select 'event:' || e.record_id, e.idempotency_key ${FROM_LEAVES}
             join answer_evidence.lifecycle_events e on e.workspace_id = $1 and e.record_id = l.id
             where ${RECORDED_IN_RANGE})`,
    ),
  ]);
  return { leaves, ...recordRows, subjectLeaves, sealed, idempotency };
}

/** Whether a leaf from `since` on is about a record or an asset whose first leaf is in the range. */
export async function isAboutRange(
  query: Query,
  workspaceId: string,
  { from, to }: LeafRange,
  since: number,
): Promise<boolean> {
  const [found] = await query<{ yes: boolean }>(
    'range_has_newer',
    `select exists (select ${FROM_LEAVES} join answer_evidence.ledger_leaves s
         on s.workspace_id = $1 and s.subject = l.subject and s.leaf_index >= $4
       where ${IN_RANGE} and l.type in ('answer_recorded', 'evidence_registered')) as yes`,
    [workspaceId, from, to, since],
  );
  return found?.yes === true;
}
