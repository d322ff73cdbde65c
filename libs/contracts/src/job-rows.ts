import type { WorkspaceTopic } from './jobs.ts';
import type { ProblemCode } from './problems.ts';

/** What is stored of work to do, row by row, as in `log-rows.ts`. */

/** A job of a workspace in the outbox, as it is written; deleted when it is done. */
export type JobRow = {
  readonly id: string;
  readonly topic: WorkspaceTopic;
  readonly subject: string | null;
  readonly created_at: number;
  /** It does not run before this time. */
  readonly due_at: number;
};

/** A job that was given up. */
export type DeadLetterRow = {
  readonly id: string;
  readonly topic: string;
  readonly subject: string | null;
  readonly attempts: number;
  readonly reason_code: ProblemCode;
  readonly reason_detail: string;
  readonly created_at: number;
  readonly failed_at: number;
  readonly replayed_at: number | null;
};
