import type { Candidate } from './candidates.ts';
import type { ReducedItem } from './reduced-item.ts';
import { isRefusal } from './refusal.ts';
import { isLater } from './span-order.ts';
import { spanKeyOf, type SpanTree } from './span-tree.ts';

/**
 * Gives a call of a model that was given the result of a tool alone, and continues the call before it by its id, the
 * question of that call: the last one beside it, or below the same agent, that asked for a tool before it began.
 */
export function askedBefore(
  candidates: readonly Candidate[],
  items: readonly ReducedItem[],
  tree: SpanTree,
): readonly Candidate[] {
  const isLacking = ({ item, content, isModelCall }: Candidate) => {
    const isCall = isModelCall && item.kind === 'span' && item.parentSpanId !== null && !item.marked;
    return isCall && !isRefusal(content) && content.question === null && content.answer !== null;
  };
  if (!candidates.some(isLacking)) return candidates;
  const runs = new Set(candidates.flatMap(({ item, isModelCall }) => (isModelCall ? [] : (spanKeyOf(item) ?? []))));
  const runOf = (item: ReducedItem) => tree.ancestorsOf(item).find((key) => runs.has(key));
  const asking = items.filter((item) => continuedBy(item) !== undefined);
  return candidates.map((candidate) => {
    const { item, content } = candidate;
    if (!isLacking(candidate) || isRefusal(content)) return candidate;
    const earlier = asking.filter((other) => {
      if (other.traceId !== item.traceId || other.endedAtUnixNano > item.startedAtUnixNano) return false;
      const run = other.parentSpanId === item.parentSpanId ? undefined : runOf(item);
      return other.parentSpanId === item.parentSpanId || (run !== undefined && runOf(other) === run);
    });
    const [last] = earlier.toSorted((a, b) => (isLater(a, b) ? -1 : 1));
    const text = last === undefined ? undefined : continuedBy(last);
    return text === undefined ? candidate : { ...candidate, content: { ...content, question: { text } } };
  });
}

/** What a call that answered nobody yet was asked. Some show that it asks for a tool as a state. */
function continuedBy({ continued, answer }: ReducedItem): string | undefined {
  if (continued !== undefined || answer?.isModelCall !== true || isRefusal(answer.content)) return continued;
  return answer.content.answer === null ? answer.content.question?.text : undefined;
}
