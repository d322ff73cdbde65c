import type { Candidate } from './candidates.ts';
import type { ReducedItem } from './reduced-item.ts';
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
  return candidates.filter(({ item }) => !hasFailed(item));
}
