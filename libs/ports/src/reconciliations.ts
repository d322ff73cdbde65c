import type {
  DeadLetterReason,
  FindingType,
  ReconciliationCore,
  ReconciliationFinding,
  Within,
} from '@answer-evidence/contracts';
import type { LeafRow, RunReferenceRow, RunRow, RunStateRow } from '@answer-evidence/tables';
import type { FoundPage } from './leaf-page.ts';

/** A run with what became of it, as one consistent read. */
export type StoredRun = {
  readonly run: RunRow;
  readonly state: RunStateRow;
  /** The entry that completed it. */
  readonly completion: { readonly core: ReconciliationCore; readonly leaf: LeafRow } | undefined;
  /** Why its job was given up; undefined for a job that is waiting, running or done, also by a replay. */
  readonly failure: DeadLetterReason | undefined;
};

/** What a run begins with: when, the tree that it speaks of, and how much of that is under an anchored checkpoint. */
type RunStart = {
  /** Microseconds. */
  readonly startedAt: number;
  readonly treeSize: number;
  /** Null when the policy asks for no anchor. */
  readonly anchoredSize: number | null;
};

/** Which runs a list shows. */
type RunFilters = Within & {
  readonly application_key?: string | undefined;
  readonly environment?: string | undefined;
};

/** What the newest completed run that covers a record found about it. */
export type RunAboutRecord = {
  readonly runId: string;
  /** Size of the tree that the run speaks of. */
  readonly treeSize: number;
  readonly findings: readonly ReconciliationFinding[];
};

/**
 * Reconciliations. What is about one run is durable when a method returns. Runs, references, record sets and findings
 * are only ever added. Throws `ledger_unavailable`; reads throw `StoredDamageError`, which names the run, for rows that
 * are not what was written.
 */
export interface ReconciliationStore {
  /**
   * Keeps a run with its references and the job that does it, all or nothing, and returns it as it is queued. When the
   * application has used the run's idempotency key, nothing is kept and the run of that key is returned as it is now.
   */
  create(
    workspaceId: string,
    run: Omit<RunRow, 'mac'>,
    references: readonly Omit<RunReferenceRow, 'run_id' | 'position'>[],
  ): Promise<{ readonly stored: StoredRun; readonly isReplayed: boolean }>;
  find(workspaceId: string, runId: string): Promise<StoredRun | undefined>;
  /** Newest first, those below `beforeId` only, after skipping `offset`. */
  list(
    workspaceId: string,
    filters: RunFilters,
    page: { readonly beforeId?: string | undefined; readonly offset: number; readonly limit: number },
  ): Promise<FoundPage<StoredRun>>;

  /** Fixes what a run begins with, once: what was fixed first stands and is returned. */
  begin(workspaceId: string, runId: string, start: RunStart): Promise<RunStateRow>;
  /** For people: nothing depends on it. A run that is completed stays so. */
  reportProgress(workspaceId: string, runId: string, percent: number): Promise<void>;
  /**
   * Decides a run that has begun, by its references and the records of its tree, and keeps record set, findings and
   * counts together with the id of the entry that is to complete it, all or nothing. A run that was decided already is
   * left as it is. Throws `overloaded` while another process is deciding it.
   */
  decide(workspaceId: string, runId: string, entryId: string): Promise<void>;

  /** The references of a run, in the caller's order. */
  references(workspaceId: string, runId: string): Promise<readonly RunReferenceRow[]>;
  /** The lines of the record set of a run that was decided, in order; some hundreds are read at a time. */
  recordLines(workspaceId: string, runId: string): AsyncIterable<string>;
  /** The findings of a run from the place `from` on, in order, after skipping `offset` of those asked for. */
  findings(
    workspaceId: string,
    runId: string,
    page: {
      readonly type?: FindingType | undefined;
      readonly from: number;
      readonly offset: number;
      readonly limit: number;
    },
  ): Promise<readonly PlacedFinding[]>;
  /** What the newest completed run that holds this record found about it; undefined when there is none. */
  findAbout(workspaceId: string, recordId: string): Promise<RunAboutRecord | undefined>;
  /** What is under way: runs that are neither completed nor given up. */
  backlog(workspaceId: string): Promise<RunBacklog>;
}

/** How many runs are under way, and when the one that waits longest was asked for, in microseconds. */
export type RunBacklog = { readonly runs: number; readonly oldestAt: number | undefined };

/** A finding with its place in the order of the findings' root. */
export type PlacedFinding = { readonly position: number; readonly finding: ReconciliationFinding };
