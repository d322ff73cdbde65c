import { quirksOf } from '../dialects/quirks.ts';
import type { AnswerItem, MappedBatch } from '../item/answer-item.ts';
import { isRefusal } from '../item/refusal.ts';
import type { ReducedItem } from '../read/reduced-item.ts';
import { NOTHING_ADDED } from './additions.ts';
import { areLoneCall, createHalfCheck, findCandidates } from './candidates.ts';
import { withoutFailed } from './failed-runs.ts';
import { createAnswerItem, decideItems } from './map-batch.ts';
import { refuseUnreadable } from './refused-items.ts';
import { createSpanTree, spanKeyOf } from './span-tree.ts';

/** What of a trace is decided, and what has to wait for more of it. */
type SplitTrace = { readonly decided: MappedBatch; readonly waiting: readonly ReducedItem[] };

/**
 * Decides about those items of a trace of which everything above is there: up to a root, or in a ring; and about
 * conversations with question and answer. The others wait, and so does a framework's state that hides the answer, until
 * a call of a model below it has come; while there is no answer at all, with everything beside it. The order of the
 * items means nothing, except that of several with one span id the first counts.
 */
export function splitTrace(received: readonly ReducedItem[]): SplitTrace {
  if (areLoneCall(received)) return { decided: decideItems(received), waiting: [] };
  if (received.every(isSilentRoot)) return { decided: { ...NOTHING, ignored: received.length }, waiting: [] };
  const { items: given, rejected } = refuseUnreadable(received);
  const items = withoutRepeats(given);
  if (items.some(({ marked }) => marked)) return count(decideItems(items), []);
  const tree = createSpanTree(items);
  const isHalf = createHalfCheck(items);
  const mayWait = (item: ReducedItem) => {
    return item.mayAnswer && (item.kind === 'span' ? tree.isOpen(item) : item.isOfThread === true || isHalf(item));
  };
  const ready = items.filter((item) => !mayWait(item));
  const decided = decideItems(ready);
  const spans = new Set(decided.items.flatMap((item) => spanKeyOf(item) ?? []));
  // Mostly each of them is a record, and there is nothing that could hide an answer.
  const isUndecided = (item: ReducedItem) => item.answer !== null && !spans.has(spanKeyOf(item) ?? '');
  const candidates = ready.some(isUndecided) ? findCandidates(ready) : [];
  const hiding = new Set(
    withoutFailed(candidates, { items: ready, tree }).flatMap(({ item, content, isStep }) => {
      const mayHaveTurns =
        quirksOf(item.scopeName).hasTurnsInLogs === true && !isRefusal(content) && content.question !== null;
      // The run of another agent shows by itself nothing that is worth waiting for.
      const isEmpty = !isRefusal(content) && content.answer === null && !content.hasUnreadState && !mayHaveTurns;
      const isDecided =
        item.isRefused === true ||
        isStep ||
        isEmpty ||
        isRefusal(content) ||
        spans.has(spanKeyOf(item) ?? '') ||
        tree.isBelow(item, spans);
      return isDecided ? [] : [item];
    }),
  );
  if (hiding.size > 0 && spans.size === 0) return count(decideItems([]), items);
  return count(
    decided,
    items.filter((item) => mayWait(item) || hiding.has(item)),
  );

  function count(made: MappedBatch, waiting: readonly ReducedItem[]): SplitTrace {
    const refused = given.filter(({ isRefused }) => isRefused === true);
    const left = waiting.filter(({ isRefused }) => isRefused !== true);
    const ignored = given.length - made.items.length - made.rejected.length - refused.length - left.length;
    return { decided: { ...made, rejected: [...rejected, ...made.rejected], ignored }, waiting };
  }
}

const NOTHING: MappedBatch = { items: [], rejected: [], ignored: 0, droppedAttributes: 0 };

/** A span that nothing comes above, and that is no answer: in a trace of these nothing is to be decided. */
function isSilentRoot({ kind, isRoot, marked, answer }: ReducedItem): boolean {
  return kind === 'span' && isRoot && !marked && answer === null;
}

/** What is kept of an item that is decided, for those below it that come later: where it stands, and its mark. */
export function linksOf({ detail: _, ...item }: ReducedItem): ReducedItem {
  return {
    ...item,
    message: null,
    answer: null,
    asked: null,
    written: [],
    sourceRefs: [],
    semanticRefs: [],
    retrieved: null,
    responseId: null,
    droppedAttributes: 0,
    reason: null,
  };
}

/** What an item states by itself; null where it is no answer or cannot be read. */
export function findStated(item: ReducedItem): AnswerItem | null {
  if (item.answer === null) return null;
  const stated = createAnswerItem({ item, members: [item], ...item.answer }, NOTHING_ADDED);
  return isRefusal(stated) ? null : stated;
}

/** Each span once, as it came first. A log record has no id: equal ones are one. */
export function withoutRepeats(items: readonly ReducedItem[]): readonly ReducedItem[] {
  const known = new Map<string, ReducedItem>();
  for (const item of items) {
    const name = item.kind === 'span' ? `${item.traceId}:${item.spanId}` : textOf(item);
    if (!known.has(name)) known.set(name, item);
  }
  return known.size === items.length ? items : [...known.values()];
}

function textOf(item: ReducedItem): string {
  const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
  return JSON.stringify({ ...item, index: 0 }, asText);
}

/** The keys of the records that were made below an answer before, or undefined where there are none. */
export function createKeysBelow(items: readonly ReducedItem[]): (answer: AnswerItem) => readonly string[] {
  const recorded = items.filter(({ kind, isRecorded }) => kind === 'span' && isRecorded === true);
  if (recorded.length === 0) return () => [];
  const tree = createSpanTree(items);
  return ({ traceId, spanId }) => {
    const own = new Set([`${traceId}:${spanId}`]);
    return recorded.flatMap((item) => (tree.isBelow(item, own) ? [`otlp:${spanKeyOf(item)}`] : []));
  };
}

/** The keys that the spans above an answer would have as answers, nearest first. */
export function createKeysAbove(items: readonly ReducedItem[]): (answer: AnswerItem) => readonly string[] {
  const tree = createSpanTree(items);
  const bySpan = new Map(items.map((item) => [`${item.kind}:${item.traceId}:${item.spanId}`, item]));
  return ({ signal, traceId, spanId }) => {
    const item = bySpan.get(`${signal}:${traceId}:${spanId}`);
    return item === undefined ? [] : tree.ancestorsOf(item).map((span) => `otlp:${span}`);
  };
}
