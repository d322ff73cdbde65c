import { formatEntry } from '@answer-evidence/commitments';
import { canonicalize } from '@answer-evidence/encoding';
import { formatCore } from '@answer-evidence/ledger';
import { StoredDamageError } from '@answer-evidence/ports';
import { type LeafRow, type RecordRow, RECORDS, RUN_RECORDS, type RunRecordRow } from '@answer-evidence/tables';
import { aliased, type JoinedRow, LEAF_SELECT, leafOf, pick, RECORD_SELECT } from '../rows/rows.ts';
import type { Query } from '../session.ts';

const LINES_PER_BATCH = 250;

/**
 * The lines of a record set in the order of its leaves. A batch at a time is read by what `reading` runs, in one
 * transaction or in one of its own. Throws `StoredDamageError` when a record or a leaf of it is gone.
 */
export async function* readRecordLines(
  reading: <T>(read: (query: Query) => Promise<T>) => Promise<T>,
  workspaceId: string,
  runId: string,
): AsyncGenerator<string> {
  for (let after = Number.MIN_SAFE_INTEGER; ;) {
    const values = [workspaceId, runId, after];
    const rows = await reading((query) => query<JoinedRow>('reconcile_records', NEXT_LINES, values));
    for (const row of rows) yield lineOf(runId, row);
    const last = rows.at(-1);
    if (last === undefined || rows.length < LINES_PER_BATCH) return;
    after = pick(last, 'c', RUN_RECORDS).leaf_index;
  }
}

const NEXT_LINES = `select ${aliased('c', RUN_RECORDS)}, ${RECORD_SELECT}, ${LEAF_SELECT}
  from answer_evidence.reconciliation_records c
  left join answer_evidence.answer_records r on r.workspace_id = $1 and r.id = c.record_id
  left join answer_evidence.ledger_leaves l on l.workspace_id = $1 and l.leaf_index = c.leaf_index
  where c.workspace_id = $1 and c.run_id = $2 and c.leaf_index > $3 order by c.leaf_index limit ${LINES_PER_BATCH}`;

function lineOf(runId: string, row: JoinedRow): string {
  if (row.r_id === null || row.l_id === null)
    throw new StoredDamageError(`a record of the record set of the run ${runId} is missing`);
  return recordLineOf(pick(row, 'c', RUN_RECORDS), pick(row, 'r', RECORDS), leafOf(row));
}

/**
 * The line of a record, from the record, its leaf, and what was read of it besides: written in the order of JCS from
 * columns, since a run may have as many as its window holds. A row that was altered makes another line, and so another
 * root.
 */
function recordLineOf(facts: RunRecordRow, record: RecordRow, leaf: LeafRow): string {
  return (
    `{"answer":${formatOpened(facts.answer_opened, facts.answer_equals)},"core":${formatCore(RECORDS, record)}` +
    `,"entry":${canonicalize(formatEntry(leaf))},"leaf_index":${facts.leaf_index}` +
    `,"named_earlier":${canonicalize(facts.named_earlier)}` +
    `,"question":${formatOpened(facts.question_opened, facts.question_equals)},"status":${canonicalize(facts.status)}}`
  );
}

function formatOpened(opened: boolean, equals: string | null): string {
  return `{"equals":${canonicalize(equals)},"opened":${opened}}`;
}
