import type { OpenedText, RecordStatus } from '@answer-evidence/contracts';
import { MICROS_PER_SECOND } from '@answer-evidence/encoding';

/** What decides a run besides its references and records. Times are microseconds since 1970 as safe integers. */
export type RunRules = {
  /** The first time of the window. */
  readonly windowStart: number;
  /** The first time after the window. */
  readonly windowEnd: number;
  readonly maxLatenessSeconds: number;
  /** When the run is decided; what may still change by itself is provisional as of this time. */
  readonly decidedAt: number;
  /** Leaves below it are under an anchored checkpoint; null when the policy asks for no anchor. */
  readonly anchoredTreeSize: number | null;
};

/** One line of the caller's list. */
export type Reference = {
  readonly referenceId: string;
  readonly occurredAt: number;
  readonly questionHash: string | null;
  readonly answerHash: string | null;
};

/** A commitment of a record, and what opening its text has shown. */
export type RecordedHash = OpenedText & { readonly hash: string };

/** What is read of one record of the application and environment. */
export type ReconciledRecord = {
  readonly id: string;
  readonly leafIndex: number;
  readonly createdAt: number;
  /** The field that references name; null when the record has none. */
  readonly matchValue: string | null;
  readonly question: RecordedHash;
  readonly answer: RecordedHash;
  /** As of the run's snapshot. */
  readonly status: RecordStatus;
  /** The first completed run with the same application, environment and field whose references name it; else null. */
  readonly namedEarlier: string | null;
};

/** The first time at which a record no longer counts for a reference of the window. */
export function searchEnd(rules: Pick<RunRules, 'windowEnd' | 'maxLatenessSeconds'>): number {
  return rules.windowEnd + rules.maxLatenessSeconds * MICROS_PER_SECOND;
}

/** How far above the limit a record was created after its reference, in seconds rounded up; 0 when it was not late. */
export function lateBySeconds(
  rules: Pick<RunRules, 'maxLatenessSeconds'>,
  occurredAt: number,
  createdAt: number,
): number {
  const above = createdAt - occurredAt - rules.maxLatenessSeconds * MICROS_PER_SECOND;
  return above <= 0 ? 0 : Math.ceil(above / MICROS_PER_SECOND);
}
