import type { FindingType, TriagePerson, TriageState } from '@answer-evidence/contracts';
import type { TriageStepRow, TriageTextRow } from '@answer-evidence/tables';
import type { DueCounter } from './due-counter.ts';
import type { PlacedFinding } from './reconciliations.ts';

/** Which findings a list shows. `assigneeId`: null for those that nobody has. */
export type TriageFilters = {
  readonly type?: FindingType | undefined;
  readonly state?: TriageState | undefined;
  readonly assigneeId?: string | null | undefined;
};

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
  readonly findings: number;
};

/** What names the text of a step, in the order in which texts expire. */
type DueTriageText = {
  readonly dueAt: number;
  readonly runId: string;
  readonly position: number;
  readonly version: number;
};

/** The work on the findings of a run, counted: `assigned` of those that are open. */
export type RunWork = { readonly runId: string; readonly assigned: number; readonly resolved: number };

/**
 * The work on findings, beside them. Steps are only ever added; texts go. Throws `ledger_unavailable`; reads throw
 * `StoredDamageError`, which names the run, for rows that are not what was written.
 */
export interface TriageStore extends DueCounter {
  /** Findings from the place `from` on, in order, after skipping `offset` of those asked for. */
  list(
    workspaceId: string,
    runId: string,
    filters: TriageFilters,
    page: { readonly from: number; readonly offset: number; readonly limit: number },
  ): Promise<{ readonly items: readonly StoredTriage[]; readonly groups: readonly TriageGroup[] }>;
  /** How many findings of each of these runs are resolved, or open with an assignee; without either it is left out. */
  countOf(workspaceId: string, runIds: readonly string[]): Promise<readonly RunWork[]>;
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
