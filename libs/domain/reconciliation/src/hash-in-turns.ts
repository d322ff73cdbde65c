import type { LineSet } from '@answer-evidence/contracts';
import { createLineSet } from './line-set.ts';
import { formatReferenceLine } from './lines.ts';
import { sortUtf8 } from './order.ts';

/** Resolves when the caller may go on; called before each line. */
type Turn = () => Promise<void>;

/** A reference of a run, as its row has it. */
type StoredReference = {
  readonly reference_id: string;
  readonly occurred_at: number;
  readonly question_hash: string | null;
  readonly answer_hash: string | null;
};

/** Root and size of lines as they come. */
export async function hashLines(lines: Iterable<string> | AsyncIterable<string>, turn: Turn): Promise<LineSet> {
  const set = createLineSet();
  for await (const line of lines) {
    await turn();
    set.add(line);
  }
  return set.finish();
}

/** Root and size of the reference set of a run, in whatever order its references come. */
export async function hashReferences(references: readonly StoredReference[], turn: Turn): Promise<LineSet> {
  const lines: string[] = [];
  for (const row of references) {
    await turn();
    lines.push(
      formatReferenceLine({
        referenceId: row.reference_id,
        occurredAt: row.occurred_at,
        questionHash: row.question_hash,
        answerHash: row.answer_hash,
      }),
    );
  }
  await turn();
  return hashLines(sortUtf8(lines), turn);
}
