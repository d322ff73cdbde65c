import type {
  FindingType,
  MatchField,
  RecordStatus,
  Resolution,
  TriageAction,
  TriageState,
} from '@answer-evidence/contracts';
import { bigint, boolean, bytea, integer, later, nullable, oneOf, type RowOf, table, text, uuid } from './table.ts';

/** A reconciliation as requested. `mac` binds the row under a secret outside the database. */
export const RUNS = table('reconciliation_runs', {
  key: ['id'],
  insertOnly: true,
  columns: {
    id: uuid,
    application_key: text,
    environment: text,
    match_on: oneOf<MatchField>(),
    window_start: bigint,
    window_end: bigint,
    max_lateness_seconds: integer,
    reference_count: integer,
    /** Root of the reference set, 32 bytes. */
    references_root: bytea,
    created_by_json: text,
    created_at: bigint,
    idempotency_key: nullable(text),
    fingerprint: bytea,
    mac: bytea,
  },
});
export type RunRow = RowOf<typeof RUNS>;

/** One reference of a reconciliation, at its place in the caller's list. */
export const RUN_REFERENCES = table('reconciliation_references', {
  key: ['run_id', 'position'],
  insertOnly: true,
  belongsTo: { run: 'run_id' },
  columns: {
    run_id: uuid,
    position: integer,
    reference_id: text,
    occurred_at: bigint,
    question_hash: nullable(text),
    answer_hash: nullable(text),
  },
});
export type RunReferenceRow = RowOf<typeof RUN_REFERENCES>;

/** How far a reconciliation has come. What it begins with and what it was decided with is set once. */
export const RUN_STATES = table('reconciliation_states', {
  key: ['run_id'],
  belongsTo: { run: 'run_id' },
  columns: {
    run_id: uuid,
    status: oneOf<'queued' | 'running' | 'completed'>(),
    /** From 0 to 100. */
    progress: integer,
    started_at: nullable(bigint),
    /** The tree that it speaks of. */
    tree_size: nullable(bigint),
    /** Leaves below it are under an anchored checkpoint; null when the policy asked for no anchor. */
    anchored_size: nullable(bigint),
    /** JCS of the counts; there when record set and findings are stored. */
    counts_json: nullable(text),
    /** The entry that completes it; there when record set and findings are stored. */
    entry_id: nullable(uuid),
  },
});
export type RunStateRow = RowOf<typeof RUN_STATES>;

/** One record of a record set: what was read of it besides what its leaf commits to. */
export const RUN_RECORDS = table('reconciliation_records', {
  key: ['run_id', 'leaf_index'],
  insertOnly: true,
  belongsTo: { run: 'run_id' },
  columns: {
    run_id: uuid,
    leaf_index: bigint,
    record_id: uuid,
    status: oneOf<RecordStatus>(),
    question_opened: boolean,
    question_equals: nullable(text),
    answer_opened: boolean,
    answer_equals: nullable(text),
    named_earlier: nullable(uuid),
  },
});
export type RunRecordRow = RowOf<typeof RUN_RECORDS>;

/** One finding, at its place in the order of the findings' root. */
export const RUN_FINDINGS = table('reconciliation_findings', {
  key: ['run_id', 'position'],
  insertOnly: true,
  belongsTo: { run: 'run_id' },
  columns: {
    run_id: uuid,
    position: integer,
    type: oneOf<FindingType>(),
    reference_id: nullable(text),
    answer_log_id: nullable(uuid),
    /** JCS of the detail. */
    detail_json: text,
  },
});
export type RunFindingRow = RowOf<typeof RUN_FINDINGS>;

/** One step of the work on a finding, and where the finding stands after it. Its text is in a table of its own. */
export const TRIAGE_STEPS = table('triage_steps', {
  key: ['run_id', 'position', 'version'],
  insertOnly: true,
  authenticated: true,
  belongsTo: { run: 'run_id' },
  columns: {
    run_id: uuid,
    position: integer,
    /** From 1, without a gap. */
    version: integer,
    action: oneOf<TriageAction>(),
    member_id: uuid,
    token_id: uuid,
    at: bigint,
    state: oneOf<TriageState>(),
    assignee_id: nullable(uuid),
    resolution: nullable(oneOf<Resolution>()),
    /** Until when its text is kept at most; null for a step without a text. */
    text_until: nullable(bigint),
    /** The step whose text this one erased. */
    erases: nullable(integer),
    /** By when the finding should be resolved, after this step. */
    due_at: later(nullable(bigint)),
  },
});
export type TriageStepRow = RowOf<typeof TRIAGE_STEPS>;

/** The text of a step, sealed. A redaction or an expiry of the record that the finding is about erases it. */
export const TRIAGE_TEXTS = table('triage_texts', {
  key: ['run_id', 'position', 'version'],
  belongsTo: { run: 'run_id' },
  columns: {
    run_id: uuid,
    position: integer,
    version: integer,
    /** The record that the finding is about, if any. */
    answer_log_id: nullable(uuid),
    wrapped_key: bytea,
    text: bytea,
    /** As the step says. */
    due_at: bigint,
  },
});
export type TriageTextRow = RowOf<typeof TRIAGE_TEXTS>;
