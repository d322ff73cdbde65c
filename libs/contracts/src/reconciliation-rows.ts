import type { FindingType } from './reconciliation-findings.ts';
import type { MatchField } from './reconciliations.ts';
import type { RecordStatus } from './records.ts';

/** What is stored of reconciliations, row by row, as in `log-rows.ts`. */

/** A reconciliation as requested. `mac` binds the row under a secret outside the database. Insert-only. */
export type RunRow = {
  readonly id: string;
  readonly application_key: string;
  readonly environment: string;
  readonly match_on: MatchField;
  readonly window_start: number;
  readonly window_end: number;
  readonly max_lateness_seconds: number;
  readonly reference_count: number;
  /** Root of the reference set, 32 bytes. */
  readonly references_root: Uint8Array;
  readonly created_by_json: string;
  readonly created_at: number;
  readonly idempotency_key: string | null;
  readonly fingerprint: Uint8Array;
  readonly mac: Uint8Array;
};

/** One reference of a reconciliation, at its place in the caller's list. Insert-only. */
export type RunReferenceRow = {
  readonly run_id: string;
  readonly position: number;
  readonly reference_id: string;
  readonly occurred_at: number;
  readonly question_hash: string | null;
  readonly answer_hash: string | null;
};

/** How far a reconciliation has come. What it begins with and what it was decided with is set once. */
export type RunStateRow = {
  readonly run_id: string;
  readonly status: 'queued' | 'running' | 'completed';
  /** From 0 to 100. */
  readonly progress: number;
  readonly started_at: number | null;
  /** The tree that it speaks of. */
  readonly tree_size: number | null;
  /** Leaves below it are under an anchored checkpoint; null when the policy asked for no anchor. */
  readonly anchored_size: number | null;
  /** JCS of the counts; there when record set and findings are stored. */
  readonly counts_json: string | null;
  /** The entry that completes it; there when record set and findings are stored. */
  readonly entry_id: string | null;
};

/** One record of a record set: what was read of it besides what its leaf commits to. Insert-only. */
export type RunRecordRow = {
  readonly run_id: string;
  readonly leaf_index: number;
  readonly record_id: string;
  readonly status: RecordStatus;
  readonly question_opened: boolean;
  readonly question_equals: string | null;
  readonly answer_opened: boolean;
  readonly answer_equals: string | null;
  readonly named_earlier: string | null;
};

/** One finding, at its place in the order of the findings' root. Insert-only. */
export type RunFindingRow = {
  readonly run_id: string;
  readonly position: number;
  readonly type: FindingType;
  readonly reference_id: string | null;
  readonly answer_log_id: string | null;
  /** JCS of the detail. */
  readonly detail_json: string;
};
