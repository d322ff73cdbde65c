import { isRefusal } from '../item/refusal.ts';
import type { Content } from '../read/read-content.ts';
import type { Candidate } from './candidates.ts';
import type { KnownTrace } from './known-trace.ts';
import { isLater } from './span-order.ts';
import { spanKeyOf } from './span-tree.ts';

/**
 * Gives a span that shows an answer and no question, such as one that wraps the call of a model, the question of the
 * last call below it that gave this very answer.
 */
export function takeQuestionBelow(candidates: readonly Candidate[], { tree }: KnownTrace): readonly Candidate[] {
  const lacking = new Map(
    candidates.flatMap((candidate) => {
      const answer = isLacking(candidate) ? saidBy(candidate) : undefined;
      return answer === undefined ? [] : [[spanKeyOf(candidate.item) ?? '', answer] as const];
    }),
  );
  if (lacking.size === 0) return candidates;
  const asked = new Map<string, Candidate>();
  for (const call of candidates) {
    if (!call.isModelCall || isRefusal(call.content) || call.content.question === null) continue;
    const said = saidBy(call);
    for (const above of tree.ancestorsOf(call.item)) {
      const known = asked.get(above);
      const isSame = said !== undefined && lacking.get(above) === said;
      if (isSame && (known === undefined || isLater(call.item, known.item))) asked.set(above, call);
    }
  }
  return candidates.map((candidate) => {
    const below = isLacking(candidate) ? asked.get(spanKeyOf(candidate.item) ?? '')?.content : undefined;
    if (below === undefined || isRefusal(below) || isRefusal(candidate.content)) return candidate;
    const { question, isPrompt = false } = below;
    return { ...candidate, isBorrowed: true, content: { ...candidate.content, question, isPrompt } };
  });
}

function isLacking({ item, content }: Candidate): boolean {
  return item.kind === 'span' && !item.marked && !isRefusal(content) && mayBorrow(content);
}

function saidBy({ content }: Candidate): string | undefined {
  return isRefusal(content) ? undefined : content.answer?.text?.trim();
}

/** Whether what has no question may have that of another: not where rules say where it would stand. */
export function mayBorrow({ question, isUnfound }: Content): boolean {
  return question === null && isUnfound !== true;
}
