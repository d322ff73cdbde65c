import type { ReducedItem } from '../read/reduced-item.ts';
import type { Candidate } from './candidates.ts';
import type { KnownTrace } from './known-trace.ts';
import { isEarlier, isLater } from './span-order.ts';
import { spanKeyOf } from './span-tree.ts';
import { groupTurns, joinedTurn } from './turns.ts';

/**
 * Takes answers that stand below one span which never came for what they would be if it had come as the run that called
 * them: steps of it, of which the last one answers what the first was asked. Runs that were each asked something of
 * their own are turns, as where a session shows several. What another process called has no run in this one.
 * By the rules of an application, so are its answers below a span that came.
 */
export function joinSiblings(answers: readonly Candidate[], { items, isOver }: KnownTrace): readonly Candidate[] {
  if (!isOver || answers.length < 2) return answers;
  const groups = Map.groupBy(answers, ({ item }) => (mayBeStep(item) ? parentOf(item) : ''));
  groups.delete('');
  if (answers.length === groups.size) return answers;
  const known = new Set(items.flatMap((item) => (item.kind === 'span' ? (spanKeyOf(item) ?? []) : [])));
  // One of them was an answer by itself before, and so are the others.
  const parted = new Set(items.flatMap((item) => (item.isRecorded === true ? [parentOf(item)] : [])));
  const joined = new Map<Candidate, Candidate | null>();
  for (const [parent, siblings] of groups) {
    const areRuled = siblings.every(({ item }) => item.joinsSiblings === true);
    if (siblings.length < 2 || (known.has(parent) && !areRuled) || parted.has(parent)) continue;
    const areSteps = areRuled || siblings.some(({ isModelCall }) => isModelCall);
    for (const turn of areSteps ? [siblings.toSorted(compareStarts)] : groupTurns(siblings)) {
      if (turn.length < 2) continue;
      for (const step of turn) joined.set(step, null);
      const last = turn.reduce((known, one) => (isLater(one.item, known.item) ? one : known));
      joined.set(last, joinedTurn(turn, last));
    }
  }
  return answers.flatMap((answer) => {
    const found = joined.get(answer);
    return found === undefined ? answer : (found ?? []);
  });
}

function mayBeStep({ kind, marked, parentSpanId, traceId, hasRemoteParent }: ReducedItem): boolean {
  return kind === 'span' && !marked && hasRemoteParent !== true && parentSpanId !== null && traceId !== null;
}

function parentOf({ traceId, parentSpanId }: ReducedItem): string {
  return `${traceId}:${parentSpanId}`;
}

function compareStarts(a: Candidate, b: Candidate): number {
  return isEarlier(a.item, b.item) ? -1 : 1;
}
