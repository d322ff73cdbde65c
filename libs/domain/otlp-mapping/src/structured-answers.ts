import type { Candidate } from './candidates.ts';
import type { ReducedItem } from './reduced-item.ts';
import { isRefusal } from './refusal.ts';
import { isLater } from './span-order.ts';
import { spanKeyOf, type SpanTree } from './span-tree.ts';
import { hashObject, readObject, type WrittenObject } from './written-object.ts';

/**
 * Gives an agent or a chain the object that it gives back, where a call of a model below it wrote that very object: in
 * its text, or as the arguments of a tool. It is the answer as a whole, in the model's words.
 */
export function answerByObjects(
  candidates: readonly Candidate[],
  items: readonly ReducedItem[],
  tree: SpanTree,
): readonly Candidate[] {
  const wanted = new Map<string, ReadonlySet<string>>();
  for (const { item, content, isModelCall } of candidates) {
    const key = spanKeyOf(item);
    const isAsking = key !== null && item.kind === 'span' && !item.marked && !isModelCall && !isRefusal(content);
    if (isAsking && content.objects !== undefined) wanted.set(key, new Set(content.objects));
  }
  if (wanted.size === 0) return candidates;
  const found = new Map<string, { readonly text: string; readonly by: ReducedItem }>();
  for (const item of items) {
    for (const { hash, text } of writtenBy(item)) {
      for (const above of tree.ancestorsOf(item)) {
        const known = found.get(above);
        if (wanted.get(above)?.has(hash) !== true) continue;
        if (known === undefined || isLater(item, known.by)) found.set(above, { text, by: item });
      }
    }
  }
  return candidates.map((candidate) => {
    const written = found.get(spanKeyOf(candidate.item) ?? '');
    if (written === undefined || candidate.item.kind !== 'span' || isRefusal(candidate.content)) return candidate;
    const answer = { text: written.text };
    return { ...candidate, content: { ...candidate.content, answer, hasUnreadState: false } };
  });
}

function writtenBy({ answer, written }: ReducedItem): readonly WrittenObject[] {
  const said = answer === null || isRefusal(answer.content) ? undefined : answer.content.answer?.text;
  if (answer?.isModelCall !== true || said === undefined) return written;
  const hash = hashObject(readObject(said) ?? null);
  return hash === undefined ? written : [{ hash, text: said }];
}
