import { isRefusal } from '../item/refusal.ts';
import type { ReducedItem } from '../read/reduced-item.ts';
import type { Candidate } from './candidates.ts';
import type { KnownTrace } from './known-trace.ts';
import { isLater } from './span-order.ts';
import { spanKeyOf } from './span-tree.ts';

/**
 * Gives a call of a model that was given the result of a tool alone, and continues the call before it by its id, the
 * question of that call: the last one beside it, or below the same agent, that asked for a tool before it began.
 */
export function takeQuestionBefore(
  candidates: readonly Candidate[],
  { items, tree }: KnownTrace,
): readonly Candidate[] {
  const isLacking = ({ item, content, isModelCall }: Candidate) => {
    const isCall = isModelCall && item.kind === 'span' && item.parentSpanId !== null && !item.marked;
    return isCall && !isRefusal(content) && content.question === null && content.answer !== null;
  };
  if (!candidates.some(isLacking)) return candidates;
  const runs = new Set(candidates.flatMap(({ item, isModelCall }) => (isModelCall ? [] : (spanKeyOf(item) ?? []))));
  const placesOf = (item: ReducedItem): readonly string[] => {
    const run = tree.ancestorsOf(item).find((key) => runs.has(key));
    return [`beside ${item.traceId}:${item.parentSpanId}`, ...(run === undefined ? [] : [`below ${run}`])];
  };
  const asking = new Map<string, ReducedItem[]>();
  for (const item of items) {
    if (continuedBy(item) === undefined) continue;
    for (const place of placesOf(item)) {
      const there = asking.get(place);
      if (there === undefined) asking.set(place, [item]);
      else there.push(item);
    }
  }
  for (const there of asking.values()) there.sort((a, b) => (isLater(a, b) ? 1 : -1));
  return candidates.map((candidate) => {
    const { item, content } = candidate;
    if (!isLacking(candidate) || isRefusal(content)) return candidate;
    const [last] = placesOf(item)
      .flatMap((place) => lastEndedBy(item.startedAtUnixNano, asking.get(place) ?? []) ?? [])
      .toSorted((a, b) => (isLater(a, b) ? -1 : 1));
    const text = last === undefined ? undefined : continuedBy(last);
    return text === undefined ? candidate : { ...candidate, content: { ...content, question: { text } } };
  });
}

/** The last of items in the order of their ends that has ended by a time. A trace may have thousands of them. */
function lastEndedBy(time: bigint, sorted: readonly ReducedItem[]): ReducedItem | undefined {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as ReducedItem).endedAtUnixNano <= time) low = middle + 1;
    else high = middle;
  }
  return sorted[low - 1];
}

/** What a call that answered nobody yet was asked. Some show that it asks for a tool as a state. */
function continuedBy({ continued, answer }: ReducedItem): string | undefined {
  if (continued !== undefined || answer?.isModelCall !== true || isRefusal(answer.content)) return continued;
  return answer.content.answer === null ? answer.content.question?.text : undefined;
}
