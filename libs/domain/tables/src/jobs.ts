import type { ProblemCode, WorkspaceTopic } from '@answer-evidence/contracts';
import { bigint, integer, nullable, oneOf, type RowOf, table, text, uuid } from './table.ts';

/** A job of a workspace in the outbox, as it is written; deleted when it is done. */
export const OUTBOX = table('outbox', {
  key: ['id'],
  columns: {
    id: uuid,
    topic: oneOf<WorkspaceTopic>(),
    subject: nullable(uuid),
    created_at: bigint,
    /** It does not run before this time. */
    due_at: bigint,
  },
});
export type JobRow = RowOf<typeof OUTBOX>;

/** A job that was given up. */
export const DEAD_LETTERS = table('dead_letters', {
  key: ['id'],
  columns: {
    id: uuid,
    topic: text,
    subject: nullable(uuid),
    attempts: integer,
    reason_code: oneOf<ProblemCode>(),
    reason_detail: text,
    created_at: bigint,
    failed_at: bigint,
    replayed_at: nullable(bigint),
  },
});
export type DeadLetterRow = RowOf<typeof DEAD_LETTERS>;
