import type { FindingType, TriageOrder, TriagePerson, TriageState } from '@answer-evidence/contracts';
import type { TriageStepRow, TriageTextRow } from '@answer-evidence/tables';
import type { DueCounter } from './due-counter.ts';
import type { PlacedFinding } from './reconciliations.ts';

/**
 * Which findings a list shows. `assigneeId`: null for those that nobody has. `dueBefore`: those that are due before it
 * (µs). `isOverdue`: those that are open and were due before now, or all others.
 */
export type TriageFilters = {
  readonly type?: FindingType | undefined;
  readonly state?: TriageState | undefined;
  readonly assigneeId?: string | null | undefined;
  readonly dueBefore?: number | undefined;
  readonly isOverdue?: boolean | undefined;
};

/** Where a finding is in a list: by its place alone, or by when it is due first, those due at no time last. */
export type TriagePlace = { readonly position: number; readonly dueAt: number | null };

/** A finding with the newest step of the work on it, if any. */
export type StoredTriage = PlacedFinding & {
  readonly latest: TriageStepRow | undefined;
  readonly assignee: TriagePerson | null;
};

/** A step with the names of the people in it, and its text while that is there. */
export type StoredTriageStep = {
  readonly row: TriageStepRow;
  readonly by: TriagePerson;
  readonly assignee: TriagePerson | null;
  readonly text: TriageTextRow | undefined;
};

/** How many findings that somebody has worked on are of one kind. */
export type TriageGroup = {
  readonly type: FindingType;
  readonly state: TriageState;
  readonly assigneeId: string | null;
  readonly isDueBefore: boolean;
  readonly isOverdue: boolean;
  readonly findings: number;
};

/** What names the text of a step, in the order in which texts expire. */
type DueTriageText = {
  readonly dueAt: number;
  readonly runId: string;
  readonly position: number;
  readonly version: number;
};

/** The work on the findings of a run, counted: `assigned` and `overdue` of those that are open. */
export type RunWork = {
  readonly runId: string;
  readonly assigned: number;
  readonly resolved: number;
  readonly overdue: number;
};

/**
 * The work on findings, beside them. Steps are only ever added; texts go. Throws `ledger_unavailable`; reads throw
 * `StoredDamageError`, which names the run, for rows that are not what was written.
 */
export interface TriageStore extends DueCounter {
  /** Findings after a place, in order, after skipping `offset` of those asked for. */
  list(
    workspaceId: string,
    runId: string,
    filters: TriageFilters,
    page: {
      readonly order: TriageOrder;
      readonly after: TriagePlace | undefined;
      readonly offset: number;
      readonly limit: number;
    },
    nowMicros: number,
  ): Promise<{ readonly items: readonly StoredTriage[]; readonly groups: readonly TriageGroup[] }>;
  /** The work on each of these runs; one that nobody has worked on is left out. */
  countOf(workspaceId: string, runIds: readonly string[], nowMicros: number): Promise<readonly RunWork[]>;
  /** Undefined when the run has no finding there. */
  find(
    workspaceId: string,
    runId: string,
    position: number,
  ): Promise<(PlacedFinding & { readonly steps: readonly StoredTriageStep[] }) | undefined>;
  /**
   * Adds a step with its text, and erases the text that it names, all or nothing; durable when it returns. False when
   * there is a step of this number already, and then nothing is done.
   */
  append(workspaceId: string, step: TriageStepRow, text: TriageTextRow | undefined): Promise<boolean>;
  /** Texts whose time has come, in order, after the one that is named. */
  findDue(
    workspaceId: string,
    nowMicros: number,
    after: DueTriageText | undefined,
    limit: number,
  ): Promise<readonly DueTriageText[]>;
  /** Erases texts; those that are gone already are none. */
  erase(workspaceId: string, texts: readonly DueTriageText[]): Promise<void>;
}
