import { canonicalize } from '@answer-evidence/encoding';
import type { AnswerItem, RejectedItem } from '@answer-evidence/otlp-mapping';
import type { KeyedRecord, Workspace } from '@answer-evidence/ports';
import { commitmentKey, type HashKeys } from '@answer-evidence/preparation';
import type { OtlpTracePartRow } from '@answer-evidence/tables';
import type { OtlpDeps } from '../deps.ts';
import type { AcceptedItem } from '../inbox/accepted-item.ts';
import { prepareItem } from '../inbox/prepare-item.ts';
import { refuseItem } from '../inbox/refuse-item.ts';
import type { TracePart } from '../inbox/trace-part.ts';
import { compareClaims } from './compare-claims.ts';
import type { Received } from './route-items.ts';

/** A part as it was found; null when it was altered, of which nothing can be said. */
export type Opened = { readonly row: OtlpTracePartRow; readonly part: TracePart | null };

/** An answer of a trace, with the part that brought it. */
export type DecidedAnswer = {
  readonly answer: AnswerItem;
  /** The keys that the spans above it would have, nearest first. */
  readonly keysAbove: readonly string[];
  /** Of records that were made below it. */
  readonly keysBelow: readonly string[];
  readonly by: Opened;
};

type Run = OtlpDeps & { readonly hashKeys: HashKeys };

/**
 * The answers as they were accepted. One below a span that made a record joins that as a trace, without its texts, and
 * so does one above it that says the same; one whose own record is there was decided before.
 */
export async function prepareAnswers(
  run: Run,
  workspace: Workspace,
  answers: readonly DecidedAnswer[],
  refused: Map<AnswerItem, RejectedItem>,
): Promise<readonly Received[]> {
  const keys = answers.flatMap(({ answer: { applicationKey, idempotencyKey }, keysAbove, keysBelow }) =>
    [idempotencyKey, ...keysAbove, ...keysBelow].map((key) => ({ applicationKey, idempotencyKey: key })),
  );
  const records = await run.otlp.findRecords(workspace.id, keys);
  const recorded = new Map(records.map((record) => [keyOf(record), record]));
  const received: Received[] = [];
  for (const { answer, keysAbove, keysBelow, by } of answers) {
    if (by.part === null || recorded.has(keyOf(answer))) continue;
    await run.turn();
    const above = keysAbove.find((key) => recorded.has(keyOf({ ...answer, idempotencyKey: key })));
    const item = above === undefined ? answer : joining(answer, above);
    try {
      const { settings, actor } = by.part;
      const hashKey = await commitmentKey(run.hashKeys, workspace, settings);
      const prepare = (one: AnswerItem) => prepareItem(run, workspace, settings, hashKey, one, canonicalize(actor));
      const prepared = prepare(item);
      const below = keysBelow.flatMap((key) => recorded.get(keyOf({ ...answer, idempotencyKey: key })) ?? []);
      const same = item === answer ? await findSame(prepared, below) : undefined;
      received.push({
        item: same === undefined ? prepared : prepare({ ...answer, idempotencyKey: same.idempotencyKey }),
        receivedAt: by.row.received_at,
      });
    } catch (error) {
      // Judged once when it was accepted; what only the whole of it exceeds is refused now.
      refused.set(answer, refuseItem(answer, error));
    }
  }
  return received;

  /** The record of a call that said what the run above it says, which came later. */
  async function findSame(item: AcceptedItem, below: readonly KeyedRecord[]): Promise<KeyedRecord | undefined> {
    for (const record of below)
      if ((await compareClaims(workspace, run.hashKeys, item, record)) === 'equal') return record;
    return undefined;
  }
}

function joining(answer: AnswerItem, idempotencyKey: string): AnswerItem {
  return { ...answer, idempotencyKey, question: null, answer: null, semanticRefs: [], sourceRefs: [] };
}

function keyOf({ applicationKey, idempotencyKey }: Pick<AnswerItem, 'applicationKey' | 'idempotencyKey'>): string {
  return `${applicationKey}\n${idempotencyKey}`;
}
