import { isRefusal } from '../item/refusal.ts';
import type { ReducedItem } from '../read/reduced-item.ts';
import type { Candidate } from './candidates.ts';
import type { KnownTrace } from './known-trace.ts';
import { isLater } from './span-order.ts';
import { spanKeyOf, type SpanTree } from './span-tree.ts';

/**
 * Tells whether an item is, or is below, a span of what calls models that ended with an error, such as an agent whose
 * answer a guardrail refused: nobody was told what is there. A mark says otherwise.
 */
export function createFailureCheck(items: readonly ReducedItem[], tree: SpanTree): (item: ReducedItem) => boolean {
  const failed = new Set(items.flatMap((item) => (item.hasFailed ? (spanKeyOf(item) ?? []) : [])));
  if (failed.size === 0) return () => false;
  return (item) => {
    const own = item.kind === 'span' ? spanKeyOf(item) : null;
    return !item.marked && ((own !== null && failed.has(own)) || tree.isBelow(item, failed));
  };
}

/** The candidates that may have answered somebody. */
export function withoutFailed(
  candidates: readonly Candidate[],
  { items, tree }: Pick<KnownTrace, 'items' | 'tree'>,
): readonly Candidate[] {
  const hasFailed = createFailureCheck(items, tree);
  const paused = findPaused(candidates, items, tree);
  const left = candidates.filter(({ item }) => {
    return !hasFailed(item) && !(paused.has(spanKeyOf(item) ?? '') || tree.isBelow(item, paused));
  });
  return left.map((candidate) => (candidate.item.isPaused === true ? withRest(candidate, left) : candidate));
}

/** A run that was suspended, with the answer of the last child that shows that it went on. */
function withRest(candidate: Candidate, candidates: readonly Candidate[]): Candidate {
  const { item, content } = candidate;
  const [last] = candidates
    .filter(({ item: { traceId, parentSpanId } }) => traceId === item.traceId && parentSpanId === item.spanId)
    .toSorted((a, b) => (isLater(a.item, b.item) ? -1 : 1));
  if (last === undefined || isRefusal(content) || isRefusal(last.content)) return candidate;
  return { ...candidate, content: { ...content, answer: content.answer ?? last.content.answer } };
}

/** Runs that stopped to ask a person before their state had an answer: what is below is a draft. */
function findPaused(
  candidates: readonly Candidate[],
  items: readonly ReducedItem[],
  tree: SpanTree,
): ReadonlySet<string> {
  const pauses = items.filter(({ isPaused = false, marked }) => isPaused && !marked);
  if (pauses.length === 0) return new Set();
  const ofGenAi = new Set(items.flatMap((item) => (item.isOfGenAi ? (spanKeyOf(item) ?? []) : [])));
  const answering = candidates.filter(({ content }) => isRefusal(content) || content.answer !== null);
  const answered = new Set(answering.flatMap(({ item }) => spanKeyOf(item) ?? []));
  // A run that goes on is shown as the child of the one that was suspended.
  const goingOn = new Set(answering.map(({ item }) => `${item.traceId}:${item.parentSpanId}`));
  return new Set(
    pauses.flatMap((item) => {
      const own = spanKeyOf(item) ?? '';
      const runs = [own, ...tree.ancestorsOf(item)].filter((key) => ofGenAi.has(key));
      const hasAnswered = runs.some((key) => answered.has(key)) || (item.answer !== null && goingOn.has(own));
      return hasAnswered ? [] : runs.slice(-1);
    }),
  );
}
