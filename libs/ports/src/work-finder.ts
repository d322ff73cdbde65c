import type { TrustLookRow } from '@answer-evidence/tables';
import type { Workspace } from './stores.ts';

/** A log with the number of its entries. */
type LogSize = { readonly workspace: Workspace; readonly treeSize: number };

/** A workspace with the version of its settings, and whether it has an index of words, whatever its state. */
type ChangedSettings = { readonly workspace: Workspace; readonly version: number; readonly hasWords: boolean };

/** What a sweep erases when its time has come. */
export type ExpiringKind = 'texts' | 'evidence' | 'triage';

/** What is asked of witnesses and authorities when it is due. */
export type AttestingPart = TrustLookRow['part'];

/** A log for which something of that may be due, with the newest published tree and the policy for which that is so. */
export type DueLook = Omit<TrustLookRow, 'part' | 'due_at'> & { readonly workspace: Workspace };

/** What there may be to do in any workspace, as a question that is answered by yes or no. */
export type WorkKind =
  | 'grown'
  | 'unpublished'
  | `${AttestingPart}-due`
  | `expiring-${ExpiringKind}`
  | 'otlp-due'
  | 'otlp-kept'
  | 'otlp-calls'
  | 'uncounted'
  | 'with-targets'
  | 'untold'
  | 'unindexed-words'
  | 'changed-settings'
  | 'unstreamed'
  | 'overdue-approvals'
  | 'jobs-due'
  | 'jobs-lost'
  | 'jobs-put-off'
  | 'jobs-replayed';

/** A question with the time that it is about, where it is about one. */
export type WorkQuestion = { readonly kind: WorkKind; readonly micros?: number };

/**
 * Whether there may be anything to do. The questions of a process are collected and answered about once a second, by
 * one statement for all of them, so what asks may wait for a second. May say yes in vain. Rejects with
 * `ledger_unavailable` when the database is unavailable.
 */
export type AskForWork = (questions: readonly WorkQuestion[]) => Promise<boolean>;

/**
 * Says in which workspaces there may be something to do, each time by one question about all of them, so that what is
 * done again and again takes as long as there is to do, and not as long as there are workspaces. What it says is only
 * where to look: it may name a workspace in vain. Workspaces whose rows were altered are left out. Every method rejects
 * with `ledger_unavailable` when the database is unavailable.
 */
export interface WorkFinder {
  /**
   * Logs whose newest entry is of this time or later; with 0 all. The time is that of the process that appended it, and
   * an entry is seen when its transaction has committed, which may be seconds after that time.
   */
  grownLogs(sinceMicros: number): Promise<readonly LogSize[]>;
  /** Those whose log has another size than what was published of it last. */
  unpublished(): Promise<readonly Workspace[]>;
  /** Those whose trust policy was ever set. All others have the default one, which asks nobody to vouch for a log. */
  withTrustPolicy(): Promise<readonly Workspace[]>;
  /**
   * Those of them for whose newest published tree and policy no look was noted that puts the next one off to after this
   * time; with 0 all. None is put off for longer than `LOOKS_MICROS_MAX`, whatever was noted.
   */
  attestationsDue(part: AttestingPart, nowMicros: number): Promise<readonly DueLook[]>;
  /** Those with something that was due to expire before this time. */
  expiring(what: ExpiringKind, beforeMicros: number): Promise<readonly Workspace[]>;
  /**
   * Those in which something that came over OTLP waits, or in which something of a decided trace, of a batch or of the
   * list of unattached traces is kept since before `sinceMicros`, and may be let go of.
   */
  withOtlp(nowMicros: number, sinceMicros: number): Promise<readonly Workspace[]>;
  /** Those in which a call is known of which a record was made before this time. */
  withOldCalls(beforeMicros: number): Promise<readonly Workspace[]>;
  /** Those whose log names no member: they are of before logs named members. */
  withUnnamedMembers(): Promise<readonly Workspace[]>;
  /** Those whose log has grown since it was counted. */
  uncounted(): Promise<readonly Workspace[]>;
  /** Those with a target of notifications. */
  withTargets(): Promise<readonly Workspace[]>;
  /** Those of them whose log has grown since it was read for notifications. */
  untold(): Promise<readonly Workspace[]>;
  /** Those with an index of words that is not at the end of the log, with the number of entries of the log. */
  withUnindexedWords(): Promise<readonly LogSize[]>;
  /** Those that have an index of words, or whose settings were changed since they were made. */
  withChangedSettings(): Promise<readonly ChangedSettings[]>;
  /** Those whose log has entries that an active stream has still to send. */
  unstreamed(): Promise<readonly Workspace[]>;
  /** Those with an open request for a second person whose time passed before this one. */
  withOverdueApprovals(beforeMicros: number): Promise<readonly Workspace[]>;
  /** Those with a run of reconciliation that is not completed. */
  withOpenRuns(): Promise<readonly Workspace[]>;
}
