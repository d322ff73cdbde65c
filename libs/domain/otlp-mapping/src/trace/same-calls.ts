import { isRefusal } from '../item/refusal.ts';
import type { Candidate } from './candidates.ts';
import { isEarlier } from './span-order.ts';

/**
 * Answers without those that show a call which another one shows already, as two instrumentations do or one that sends
 * a span under two ids: of one application, with one id of the response and the same texts. The first one counts.
 */
export function withoutSameCalls(answers: readonly Candidate[]): readonly Candidate[] {
  const named = answers.filter(({ item }) => item.responseId !== null && !item.marked);
  if (named.length < 2) return answers;
  const first = new Map<string, Candidate>();
  const names = new Map(
    named.flatMap((answer) => {
      const name = nameOf(answer);
      return name === undefined ? [] : [[answer, name] as const];
    }),
  );
  for (const [answer, name] of names) {
    const known = first.get(name);
    if (known === undefined || isEarlier(answer.item, known.item)) first.set(name, answer);
  }
  return answers.filter((answer) => {
    const name = names.get(answer);
    return name === undefined || first.get(name) === answer;
  });
}

function nameOf({ item, content }: Candidate): string | undefined {
  if (isRefusal(content) || content.question === null || content.answer === null) return undefined;
  return JSON.stringify([item.applicationKey, item.traceId, item.responseId, content.question, content.answer]);
}
