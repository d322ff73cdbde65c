import type { ApprovalAct } from '@answer-evidence/contracts';
import type { ExpiringKind } from './work-finder.ts';

/** What a sweep waits with until an operator confirms it. */
export type HeldSweep = { readonly what: ExpiringKind; readonly due: number };

/** Days since 1970, the last one excluded, put together in days, weeks from Monday on, or months. */
export type CountedDays = {
  readonly from: number;
  readonly to: number;
  readonly unit: 'day' | 'week' | 'month';
  /** Only these applications; null: all. */
  readonly applications?: readonly string[] | null | undefined;
  /** How many applications are counted each by itself; the others are one sum. */
  readonly applicationsMax: number;
};

/** Counts of one application, or of all others together (null). */
export type CountedAnswers = {
  readonly day: number;
  readonly application_key: string | null;
  readonly recorded: number;
  readonly corrected: number;
  readonly voided: number;
  readonly redacted: number;
  readonly listed: number;
  readonly missing: number;
  readonly readings: number;
};

/** Findings that nobody has resolved: answers without a record, and others that nobody has taken. */
export type OpenFindings = {
  readonly application_key: string;
  /** The newest run that has any. */
  readonly run_id: string;
  readonly missing: number;
  readonly oldest_missing_at: number | null;
  readonly unassigned: number;
};

/** Open findings of a run that were due at one time (µs) before now. */
export type OverdueFindings = {
  readonly run_id: string;
  readonly application_key: string;
  readonly due_at: number;
  readonly findings: number;
};

/** So many, and the time of the oldest. */
export type Waiting = { readonly count: number; readonly oldestAt: number | undefined };

/** Something with a name that ends at a time (µs). */
export type Ending = { readonly id: string; readonly name: string; readonly ends_at: number };

/** A stream of which several attempts in a row failed, and what it has still to send. */
export type FailingStream = {
  readonly id: string;
  readonly name: string;
  readonly failing_since: number;
  readonly waiting: number;
};

/** An open request for a second person: for what, by whom, and its times (µs). */
export type WaitingApproval = {
  readonly act: ApprovalAct;
  readonly requested_by: string;
  readonly requested_at: number;
  readonly expires_at: number;
};

/** A token that ends soon for how long it has lived. */
type EndingToken = Ending & {
  readonly application_key: string | null;
  readonly user_id: string | null;
  readonly last_used_at: number | null;
};

/** How an overview is asked for. */
type OverviewQuestion = {
  readonly days: CountedDays;
  readonly nowMicros: number;
  /** How many of what ends are named. */
  readonly namedMax: number;
};

/** What an overview is made of, in one snapshot. */
export type StoredOverview = {
  /** Undefined before anything was counted. */
  readonly counted:
    | { readonly at: number; readonly treeSize: number; readonly holds: readonly HeldSweep[] }
    | undefined;
  readonly treeSize: number;
  readonly counts: readonly CountedAnswers[];
  readonly open: readonly OpenFindings[];
  /** Those that were due first come first. */
  readonly overdue: readonly OverdueFindings[];
  readonly deadLetters: Waiting;
  readonly refused: Waiting;
  readonly unattached: Waiting;
  readonly streams: readonly FailingStream[];
  /** Oldest first. */
  readonly approvals: readonly WaitingApproval[];
  /** Legal holds that are in force. */
  readonly holds: Waiting;
  readonly tokens: readonly EndingToken[];
  /** Members whose link to set a password ends unused. */
  readonly links: readonly Ending[];
  /** Texts that expire within seven days. */
  readonly textsDue: number;
};

/** Counts of a workspace's log, kept beside it, and what waits for somebody. Throws `ledger_unavailable`. */
export interface OverviewStore {
  /**
   * Counts the next leaves, all or nothing, and returns whether there are more. False as well while another process
   * counts this log.
   */
  countMore(workspaceId: string, nowMicros: number): Promise<boolean>;
  /** Keeps what sweeps hold back, once the log was counted. */
  noteHolds(workspaceId: string, holds: readonly HeldSweep[]): Promise<void>;
  read(workspaceId: string, question: OverviewQuestion): Promise<StoredOverview>;
}
