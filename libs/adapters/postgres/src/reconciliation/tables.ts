import type { RunFindingRow, RunRecordRow, RunReferenceRow, RunRow, RunStateRow } from '@answer-evidence/contracts';
import type { Table } from '../append/insert-rows.ts';

/** Runs as they were asked for. */
export const RUNS: Table<RunRow> = {
  name: 'reconciliation_runs',
  columns: [
    'id',
    'application_key',
    'environment',
    'match_on',
    'window_start',
    'window_end',
    'max_lateness_seconds',
    'reference_count',
    'references_root',
    'created_by_json',
    'created_at',
    'idempotency_key',
    'fingerprint',
    'mac',
  ],
};
/** References of runs. */
export const REFERENCES: Table<RunReferenceRow> = {
  name: 'reconciliation_references',
  columns: ['run_id', 'position', 'reference_id', 'occurred_at', 'question_hash', 'answer_hash'],
};
/** How far runs have come. */
export const STATES: Table<RunStateRow> = {
  name: 'reconciliation_states',
  columns: ['run_id', 'status', 'progress', 'started_at', 'tree_size', 'anchored_size', 'counts_json', 'entry_id'],
};
/** Record sets. */
export const RUN_RECORDS: Table<RunRecordRow> = {
  name: 'reconciliation_records',
  columns: [
    'run_id',
    'leaf_index',
    'record_id',
    'status',
    'question_opened',
    'question_equals',
    'answer_opened',
    'answer_equals',
    'named_earlier',
  ],
};
/** Findings. */
export const FINDINGS: Table<RunFindingRow> = {
  name: 'reconciliation_findings',
  columns: ['run_id', 'position', 'type', 'reference_id', 'answer_log_id', 'detail_json'],
};
