import type { LedgerRows } from '@answer-evidence/audit';
import {
  EVENTS,
  EXPIRIES,
  IDEMPOTENCY,
  type IdempotencyRow,
  LEAVES,
  type LeafRow,
  RECORDS,
  SEALED,
  type SealedRow,
  RECORD_STATES,
  TRACES,
  WORKSPACE_ENTRIES,
  type WorkspaceEntryRow,
  type Table,
} from '@answer-evidence/tables';
import type { Query } from '../session.ts';
import { select } from './rows.ts';

/** The leaves of logs, as `l`. */
export const RUN = `from answer_evidence.ledger_leaves l`;
/** Of the workspace $1, those from $2 to before $3. */
export const IN_RUN = `l.workspace_id = $1 and l.leaf_index >= $2 and l.leaf_index < $3`;
const RECORDED_IN_RUN = `${IN_RUN} and l.type = 'answer_recorded'`;

/** All that is stored about the leaves of a run: those from `from` to before `to`. */
export async function readRun(query: Query, workspaceId: string, from: number, to: number): Promise<LedgerRows> {
  const all = <Row extends object>(name: string, sql: string) =>
    query<Row & Record<string, unknown>>(name, sql, [workspaceId, from, to]);
  /** Rows of a table that name a record of the run. */
  const ofRecords = <Row extends object>(table: Table<Row>, recordColumn: keyof Row & string) =>
    all<Row>(
      `run_of_${table.name}`,
      `select ${select('t', table)} ${RUN}
         join answer_evidence.${table.name} t on t.workspace_id = $1 and t.${recordColumn} = l.id where ${RECORDED_IN_RUN}`,
    );
  const [leaves, records, subjectLeaves, events, states, expiries, traces, sealed, idempotency, workspaceEntries] =
    await Promise.all([
      all<LeafRow>('run_leaves', `select ${select('l', LEAVES)} ${RUN} where ${IN_RUN} order by l.leaf_index`),
      ofRecords(RECORDS, 'id'),
      ofRecords(LEAVES, 'subject'),
      ofRecords(EVENTS, 'record_id'),
      ofRecords(RECORD_STATES, 'record_id'),
      ofRecords(EXPIRIES, 'record_id'),
      ofRecords(TRACES, 'record_id'),
      all<SealedRow>(
        'run_sealed',
        `select ${select('c', SEALED)} from answer_evidence.sealed_contents c
         where c.workspace_id = $1 and c.object_id in (
           select l.id ${RUN} where ${RECORDED_IN_RUN}
           union
           select s.id ${RUN} join answer_evidence.ledger_leaves s on s.workspace_id = $1 and s.subject = l.id
             where ${RECORDED_IN_RUN})`,
      ),
      all<IdempotencyRow>(
        'run_idempotency',
        `select ${select('k', IDEMPOTENCY)} from answer_evidence.idempotency_keys k
         where k.workspace_id = $1 and (k.scope, k.idempotency_key) in (
           select 'record:' || r.application_key, r.idempotency_key ${RUN}
             join answer_evidence.answer_records r on r.workspace_id = $1 and r.id = l.id where ${RECORDED_IN_RUN}
           union
           select 'evidence:' || a.application_key, a.idempotency_key ${RUN}
             join answer_evidence.evidence_assets a on a.workspace_id = $1 and a.id = l.subject and a.entry_id = l.id
             where ${IN_RUN}
           union
           select 'event:' || e.record_id, e.idempotency_key ${RUN}
             join answer_evidence.lifecycle_events e on e.workspace_id = $1 and e.record_id = l.id
             where ${RECORDED_IN_RUN})`,
      ),
      all<WorkspaceEntryRow>(
        'run_workspace_entries',
        `select ${select('w', WORKSPACE_ENTRIES)} ${RUN}
         join answer_evidence.workspace_entries w on w.workspace_id = $1 and w.id = l.id where ${IN_RUN}`,
      ),
    ]);
  return {
    leaves,
    records,
    subjectLeaves,
    events,
    states,
    expiries,
    traces,
    sealed,
    idempotency,
    workspaceEntries,
  };
}
