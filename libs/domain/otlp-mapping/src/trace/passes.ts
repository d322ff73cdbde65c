import { answerByCalls } from './answer-by-calls.ts';
import { takeQuestionBelow } from './asked-below.ts';
import type { Candidate } from './candidates.ts';
import { takeQuestionBefore } from './continued-calls.ts';
import { withoutFailed } from './failed-runs.ts';
import type { KnownTrace } from './known-trace.ts';
import { withoutSameCalls } from './same-calls.ts';
import { joinSiblings } from './siblings.ts';
import { spanKeyOf } from './span-tree.ts';
import { answerByStates } from './structured-answers.ts';
import { splitTurns } from './turns.ts';

/** Takes candidates away that answer nobody, or gives those that are left the texts they lack. */
type Pass = (candidates: readonly Candidate[], trace: KnownTrace) => readonly Candidate[];

/** What is done with the candidates of a trace, each pass with what the one before has left. */
export const PASSES: readonly Pass[] = [
  // Nobody was told what failed, or what is a draft of a run that stopped to ask.
  withoutFailed,
  // Only now: the call that was given the result of a tool may have failed.
  takeQuestionBefore,
  // What a run's own state says comes before what is below it.
  answerByStates,
  // A nested check may have written the object that is the answer, but is none.
  withoutNested,
  // The answer is known, if it has one of its own.
  takeQuestionBelow,
  // From here on, what still has no answer is no candidate.
  answerByCalls,
  // Turns are told from each other by what each was asked and said.
  splitTurns,
  selectAnswers,
  // Only of what is an answer by itself, whatever its parent would have said.
  joinSiblings,
  withoutSameCalls,
];

/** Without agents that are part of another one. */
function withoutNested(candidates: readonly Candidate[], { nested }: KnownTrace): readonly Candidate[] {
  return candidates.filter(({ item }) => item.marked || item.kind === 'log' || !nested.has(spanKeyOf(item) ?? ''));
}

/**
 * Which candidates are answers. What the sender marked decides: in a trace with marked items only those are. Else a
 * candidate below another one is a step on the way to it, such as the call of a model by an agent, and the outermost
 * ones are the answers; of these, one below a tool or the like only if there is no other in its trace, and none below a
 * check that is part of an agent.
 */
function selectAnswers(
  candidates: readonly Candidate[],
  { tree, asides, checks, items }: KnownTrace,
): readonly Candidate[] {
  const markedTraces = new Set(items.flatMap(({ marked, traceId }) => (marked && traceId !== null ? [traceId] : [])));
  const spans = new Set(candidates.flatMap(({ item }) => (item.kind === 'span' ? (spanKeyOf(item) ?? []) : [])));
  const outermost = candidates.filter((candidate) => {
    if (candidate.item.marked) return true;
    const { traceId } = candidate.item;
    if (candidate.isPart === true || (traceId !== null && markedTraces.has(traceId))) return false;
    return !tree.isBelow(candidate.item, spans);
  });
  const isBeside = ({ item }: Candidate) => item.marked || !tree.isBelow(item, asides);
  const answered = new Set(outermost.filter(isBeside).map(({ item }) => item.traceId));
  return outermost.filter((candidate) => {
    const { item } = candidate;
    return isBeside(candidate) || !(answered.has(item.traceId) || tree.isBelow(item, checks));
  });
}
