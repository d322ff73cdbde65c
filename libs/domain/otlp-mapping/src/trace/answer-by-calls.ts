import { isRefusal } from '../item/refusal.ts';
import type { Content } from '../read/read-content.ts';
import { readState } from '../read/read-value.ts';
import type { ReducedItem } from '../read/reduced-item.ts';
import { mayBorrow } from './asked-below.ts';
import type { Candidate } from './candidates.ts';
import type { KnownTrace } from './known-trace.ts';
import { isEarlier, isLater } from './span-order.ts';
import { spanKeyOf, type SpanTree } from './span-tree.ts';
import { withoutUntold } from './untold-states.ts';

/** A candidate with an answer, below another span. */
type Below = {
  readonly item: ReducedItem;
  readonly content: Content;
  /** Its question is the message of a model call. */
  readonly isBorrowed: boolean;
  readonly isAside: boolean;
};

/** What a span has below it: the first that starts and the last that ends, for each span above. */
type AllBelow = { readonly first: ReadonlyMap<string, Below>; readonly last: ReadonlyMap<string, Below> };

/**
 * Gives what calls models, such as an agent, the answer of the last call below it where its own state names none. Its
 * question, where it has none of its own, is that of the same call.
 *
 * A run that shows nothing takes the question of the first and the answer of the last of the outermost candidates below
 * it, since the next agent of a sequence is asked by the one before. So does what has no call below it that answers.
 * What is below a tool counts only where there is nothing else, and what is below a check never. What still has no
 * answer is no candidate, and neither is what only others may take their answer from.
 */
export function answerByCalls(
  asking: readonly Candidate[],
  { tree, asides, checks }: KnownTrace,
): readonly Candidate[] {
  // What is below a run that may have told something else still shows what was asked.
  const candidates = withoutUntold(asking, tree);
  const calls = candidates.filter(({ isModelCall }) => isModelCall);
  const { last } = findBelow(calls, tree, asides, checks);
  const shown = new Map<Candidate, Candidate>();
  for (const candidate of candidates) {
    if (candidate.isStep) continue;
    const found = isWhole(candidate) ? candidate : isEmpty(candidate) ? undefined : takeFrom(candidate, last, last);
    if (found !== undefined) shown.set(candidate, found);
  }
  askedOfFirst(shown, last, () => findBelow(asking, tree, asides, checks).first);
  if (candidates.every((candidate) => candidate.isStep || shown.has(candidate))) return [...shown.values()];
  const spans = new Set(
    [...shown.values()].flatMap(({ item }) => (item.kind === 'span' ? (spanKeyOf(item) ?? []) : [])),
  );
  const steps = calls.filter(({ isStep }) => isStep);
  const outermost = [...shown.values(), ...steps].filter(({ item }) => !tree.isBelow(item, spans));
  const below = findBelow(outermost, tree, asides, checks);
  return candidates.flatMap((candidate) => {
    if (candidate.isStep) return [];
    const found =
      shown.get(candidate) ?? takeFrom(candidate, isEmpty(candidate) ? below.first : below.last, below.last);
    return found ?? [];
  });
}

/**
 * What shows an answer and no question, and has no call of a model below it, takes the question of the first below it
 * that has one, such as the first agent of a crew.
 */
function askedOfFirst(shown: Map<Candidate, Candidate>, calls: AllBelow['last'], findFirst: () => AllBelow['first']) {
  let first: AllBelow['first'] | undefined;
  for (const [candidate, { item, content }] of shown) {
    const key = spanKeyOf(item) ?? '';
    if (isWhole(candidate) || isRefusal(content) || !mayBorrow(content) || calls.has(key)) continue;
    first ??= findFirst();
    const question = first.get(key)?.content.question ?? null;
    shown.set(candidate, { ...candidate, isBorrowed: true, content: { ...content, question } });
  }
}

/** Whether nothing below a candidate adds to it. */
function isWhole({ item, content, isModelCall }: Candidate): boolean {
  return item.marked || isRefusal(content) || (isModelCall && content.answer !== null);
}

/** Whether it is the run of an agent that shows neither texts nor a state. */
function isEmpty({ content }: Candidate): boolean {
  return !isRefusal(content) && content.question === null && content.answer === null && !content.hasUnreadState;
}

/** A candidate with the texts that it lacks, of what is below it; undefined if that has no answer. */
function takeFrom(candidate: Candidate, asking: AllBelow['first'], answering: AllBelow['last']): Candidate | undefined {
  const { content, item } = candidate;
  if (isRefusal(content)) return candidate;
  const key = spanKeyOf(item) ?? '';
  const answer = withoutMore(content, answering.get(key)) ?? answering.get(key)?.content.answer ?? null;
  if (answer === null) return undefined;
  if (!mayBorrow(content)) return { ...candidate, content: { ...content, answer } };
  const asked = asking.get(key);
  const { question = null, isPrompt = false } = asked?.content ?? {};
  return { ...candidate, isBorrowed: asked?.isBorrowed ?? true, content: { ...content, question, answer, isPrompt } };
}

/**
 * Its own answer. If a run shows more than the call below it said last, such as results of tools, a state that names
 * it or space around it, only that.
 */
function withoutMore({ answer, isAssembled = false }: Content, below: Below | undefined): Content['answer'] {
  const said = below?.isAside === true ? undefined : below?.content.answer?.text;
  const shown = answer?.text;
  if (said === undefined || shown === undefined) return answer;
  const isMore = isAssembled && (shown.endsWith(said) || readState(shown, 'answer') === said);
  return isMore || shown.trim() === said ? { text: said } : answer;
}

function findBelow(
  candidates: readonly Candidate[],
  tree: SpanTree,
  asides: ReadonlySet<string>,
  checks: ReadonlySet<string>,
): AllBelow {
  const first = new Map<string, Below>();
  const last = new Map<string, Below>();
  const keep = (known: Map<string, Below>, above: string, one: Below, isBetter: typeof isLater): void => {
    const other = known.get(above);
    const isKept = other === undefined || (one.isAside === other.isAside && isBetter(one.item, other.item));
    if (isKept || (other.isAside && !one.isAside)) known.set(above, one);
  };
  for (const { item, content, isModelCall, isBorrowed = isModelCall } of candidates) {
    if (isRefusal(content) || content.answer === null) continue;
    let isAside = false;
    for (const above of tree.ancestorsOf(item)) {
      const one = { item, content, isBorrowed, isAside };
      keep(first, above, one, isEarlier);
      keep(last, above, one, isLater);
      if (checks.has(above)) break;
      isAside ||= asides.has(above);
    }
  }
  return { first, last };
}
