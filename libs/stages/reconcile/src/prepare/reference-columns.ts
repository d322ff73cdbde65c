import type { ReferenceRequest } from '@answer-evidence/contracts';
import type { Reference } from '@answer-evidence/reconciliation';
import type { RunReferenceRow } from '@answer-evidence/tables';

/** References column by column: thousands of objects take six times as long from one thread to another. */
export type ReferenceColumns = {
  readonly ids: readonly string[];
  /** As they were sent, in any form of RFC 3339. */
  readonly sentTimes: readonly string[];
  /** The same in microseconds. */
  readonly times: Float64Array;
  readonly questionHashes: readonly (string | null)[];
  readonly answerHashes: readonly (string | null)[];
};

/** The columns of references, which are one to one with what was sent. */
export function toColumns(sent: readonly ReferenceRequest[], references: readonly Reference[]): ReferenceColumns {
  return {
    ids: references.map(({ referenceId }) => referenceId),
    sentTimes: sent.map((one) => one.occurred_at),
    times: Float64Array.from(references, ({ occurredAt }) => occurredAt),
    questionHashes: references.map(({ questionHash }) => questionHash),
    answerHashes: references.map(({ answerHash }) => answerHash),
  };
}

/** Their rows. */
export function rowsOf(columns: ReferenceColumns): readonly Omit<RunReferenceRow, 'run_id' | 'position'>[] {
  return columns.ids.map((id, n) => ({
    reference_id: id,
    occurred_at: columns.times[n] ?? 0,
    question_hash: columns.questionHashes[n] ?? null,
    answer_hash: columns.answerHashes[n] ?? null,
  }));
}

/** What was sent, with hashes in lower case. */
export function sentReferences(columns: ReferenceColumns): readonly ReferenceRequest[] {
  return columns.ids.map((id, n) => {
    const question = columns.questionHashes[n] ?? null;
    const answer = columns.answerHashes[n] ?? null;
    return {
      reference_id: id,
      occurred_at: columns.sentTimes[n] ?? '',
      ...(question === null ? {} : { question_hash: question }),
      ...(answer === null ? {} : { answer_hash: answer }),
    };
  });
}
