import type { LineSet } from '@answer-evidence/contracts';
import { createLineSet } from './line-set.ts';
import { formatReferenceLine } from './lines.ts';
import { sortUtf8 } from './order.ts';

/** Resolves when the caller may go on. */
type Turn = () => Promise<void>;

/** So many lines take less time than it does to ask for a turn before each. */
const LINES_A_TURN = 16;

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
  let n = 0;
  for await (const line of lines) {
    if (n++ % LINES_A_TURN === 0) await turn();
    set.add(line);
  }
  return set.finish();
}

/** Root and size of the reference set of a run, in whatever order its references come. */
export async function hashReferences(references: readonly StoredReference[], turn: Turn): Promise<LineSet> {
  const lines: string[] = [];
  for (const [n, row] of references.entries()) {
    if (n % LINES_A_TURN === 0) await turn();
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
  const set = createLineSet();
  for (const [n, line] of sortUtf8(lines).entries()) {
    if (n % LINES_A_TURN === 0) await turn();
    set.add(line);
  }
  return set.finish();
}
