import type { Candidate } from './candidates.ts';
import type { ReducedItem } from './reduced-item.ts';
import { isRefusal } from './refusal.ts';
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
  items: readonly ReducedItem[],
  tree: SpanTree,
): readonly Candidate[] {
  const hasFailed = createFailureCheck(items, tree);
  const paused = findPaused(candidates, items, tree);
  return candidates.filter(({ item }) => {
    return !hasFailed(item) && !(paused.has(spanKeyOf(item) ?? '') || tree.isBelow(item, paused));
  });
}

/** Runs of graphs that stopped to ask a person before their state had an answer: what is below is a draft. */
function findPaused(
  candidates: readonly Candidate[],
  items: readonly ReducedItem[],
  tree: SpanTree,
): ReadonlySet<string> {
  const pauses = items.filter(({ isPaused = false, marked }) => isPaused && !marked);
  if (pauses.length === 0) return new Set();
  const ofGenAi = new Set(items.flatMap((item) => (item.isOfGenAi ? (spanKeyOf(item) ?? []) : [])));
  const answered = new Set(
    candidates.flatMap(({ item, content }) => {
      return isRefusal(content) || content.answer !== null ? (spanKeyOf(item) ?? []) : [];
    }),
  );
  return new Set(
    pauses.flatMap((item) => {
      const runs = tree.ancestorsOf(item).filter((key) => ofGenAi.has(key));
      return runs.some((key) => answered.has(key)) ? [] : runs.slice(-1);
    }),
  );
}
