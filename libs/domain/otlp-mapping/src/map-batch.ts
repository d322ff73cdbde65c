import { type JsonObject, REFS_MAX } from '@answer-evidence/contracts';
import { canonicalize } from '@answer-evidence/encoding';
import { type Additions, collectAdditions, NOTHING_ADDED } from './additions.ts';
import type { AnswerItem, MappedBatch } from './answer-item.ts';
import { type Candidate, findCandidates } from './candidates.ts';
import type { OtlpBatch } from './otlp-item.ts';
import { findAsked } from './prompts.ts';
import type { Content } from './read-content.ts';
import { type ReducedItem, reduceItems } from './reduced-item.ts';
import { isRefusal, type Refusal } from './refusal.ts';
import { createSpanTree, spanKeyOf, type SpanTree } from './span-tree.ts';

/**
 * Maps what was read to answers, by the table of `mapping-table.ts`. Never throws, whatever an item says: one that
 * cannot be taken over is refused alone. The order of attributes means nothing; what is in no rule of the table is in
 * no part of the result.
 */
export function mapBatch(batch: OtlpBatch): MappedBatch {
  return decideItems(reduceItems(batch.items));
}

/** Decides about items as if nothing else of their traces ever came. */
export function decideItems(given: readonly ReducedItem[]): MappedBatch {
  const found = findCandidates(given);
  const tree = createSpanTree(found.length === 0 ? [] : given);
  const asides = new Set(given.flatMap((item) => (item.isAside ? (spanKeyOf(item) ?? []) : [])));
  const checks = findInnerChecks(given, tree);
  const answers = selectAnswers(answerByCalls(found, tree, asides, checks), tree, asides, checks, given);
  const additions = collectAdditions(given, answers, tree);
  const items: AnswerItem[] = [];
  const rejected: MappedBatch['rejected'][number][] = [];
  let droppedAttributes = additions.from.reduce((sum, item) => sum + item.droppedAttributes, 0);
  for (const answer of answers) {
    for (const member of answer.members) droppedAttributes += member.droppedAttributes;
    const added = additions.of.get(answer) ?? NOTHING_ADDED;
    const made = createAnswerItem(withoutDocuments(answer, added), added);
    const { index, traceId, spanId } = answer.item;
    if (isRefusal(made)) rejected.push({ index, traceId, spanId, reason: made.reason });
    else items.push(made);
  }
  const ignored = given.length - items.length - rejected.length;
  return { items, rejected, ignored, droppedAttributes };
}

/** A model call below another span. */
type Call = { readonly call: Candidate; readonly content: Content; readonly isAside: boolean };

/**
 * Gives what calls models, such as an agent, the answer of the last call below it where its own state names none. Its
 * question, where it has none of its own, is that of the same call; of the run of an agent that shows nothing, that of
 * the first one, since the next agent of a sequence is asked by the one before. Calls of a tool count only where
 * there is no other, and those of a check never. What still has no answer is no candidate, and neither is what only
 * others may take their answer from.
 */
function answerByCalls(
  candidates: readonly Candidate[],
  tree: SpanTree,
  asides: ReadonlySet<string>,
  checks: ReadonlySet<string>,
): readonly Candidate[] {
  const firstBelow = new Map<string, Call>();
  const lastBelow = new Map<string, Call>();
  const keep = (known: Map<string, Call>, above: string, one: Call, isBetter: typeof isLater): void => {
    const other = known.get(above);
    const isKept = other === undefined || (one.isAside === other.isAside && isBetter(one.call.item, other.call.item));
    if (isKept || (other.isAside && !one.isAside)) known.set(above, one);
  };
  for (const call of candidates) {
    const { content, isModelCall } = call;
    if (!isModelCall || isRefusal(content) || content.answer === null) continue;
    let isAside = false;
    for (const above of tree.ancestorsOf(call.item)) {
      keep(firstBelow, above, { call, content, isAside }, isEarlier);
      keep(lastBelow, above, { call, content, isAside }, isLater);
      if (checks.has(above)) break;
      isAside ||= asides.has(above);
    }
  }
  return candidates.flatMap((candidate): readonly Candidate[] => {
    const { content, isModelCall, item } = candidate;
    if (candidate.isStep) return [];
    if (item.marked || isRefusal(content) || (isModelCall && content.answer !== null)) return [candidate];
    const key = spanKeyOf(item) ?? '';
    const last = lastBelow.get(key)?.content;
    const answer = content.answer ?? last?.answer ?? null;
    if (answer === null) return [];
    if (content.question !== null) return [{ ...candidate, content: { ...content, answer } }];
    const isShown = content.answer !== null || content.hasUnreadState;
    const { question = null, isPrompt = false } = (isShown ? last : firstBelow.get(key)?.content) ?? {};
    return [{ ...candidate, isBorrowed: true, content: { ...content, question, answer, isPrompt } }];
  });
}

/**
 * A question without documents that were retrieved for it. The message of a model call below is taken for a prompt that
 * contains them, also where it is not known what they say.
 */
function withoutDocuments(answer: Candidate, added: Additions): Candidate {
  const { content, item, isBorrowed = false } = answer;
  if (item.marked || isRefusal(content) || content.question?.text === undefined) return answer;
  const retrieved = [...answer.members.flatMap((member) => member.retrieved ?? []), ...added.retrieved];
  if (retrieved.length === 0) return answer;
  const isPrompt = content.isPrompt === true || (isBorrowed && retrieved.some(({ openings }) => openings.length === 0));
  const text = findAsked(content.question.text, isPrompt, retrieved);
  if (text === content.question.text) return answer;
  return { ...answer, content: { ...content, question: text === undefined ? null : { text } } };
}

/** By the start; of two that start together by their ids. */
function isEarlier(a: ReducedItem, b: ReducedItem): boolean {
  const [startA, startB] = [a.startedAtUnixNano, b.startedAtUnixNano];
  return startA === startB ? (a.spanId ?? '') < (b.spanId ?? '') : startA < startB;
}

/** By the end; of two that end together by their ids, so that the order of the items means nothing. */
function isLater(a: ReducedItem, b: ReducedItem): boolean {
  const [endA, endB] = [a.endedAtUnixNano, b.endedAtUnixNano];
  return endA === endB ? (a.spanId ?? '') > (b.spanId ?? '') : endA > endB;
}

/**
 * Which candidates are answers. What the sender marked decides: in a trace with marked items only those are. Else a
 * candidate below another one is a step on the way to it, such as the call of a model by an agent, and the outermost
 * ones are the answers; of these, one below a tool or the like only if there is no other in its trace, and none below a
 * check that is part of an agent.
 */
function selectAnswers(
  candidates: readonly Candidate[],
  tree: SpanTree,
  asides: ReadonlySet<string>,
  checks: ReadonlySet<string>,
  items: readonly ReducedItem[],
): readonly Candidate[] {
  const markedTraces = new Set(items.flatMap(({ marked, traceId }) => (marked && traceId !== null ? [traceId] : [])));
  const spans = new Set(candidates.flatMap(({ item }) => (item.kind === 'span' ? (spanKeyOf(item) ?? []) : [])));
  const outermost = candidates.filter((candidate) => {
    if (candidate.item.marked) return true;
    const { traceId } = candidate.item;
    if (traceId !== null && markedTraces.has(traceId)) return false;
    return !tree.isBelow(candidate.item, spans);
  });
  const isBeside = ({ item }: Candidate) => item.marked || !tree.isBelow(item, asides);
  const answered = new Set(outermost.filter(isBeside).map(({ item }) => item.traceId));
  return outermost.filter((candidate) => {
    const { item } = candidate;
    return isBeside(candidate) || !(answered.has(item.traceId) || tree.isBelow(item, checks));
  });
}

/** Checks that are part of an agent or a chain: one that stands alone may wrap the call that it is about. */
function findInnerChecks(items: readonly ReducedItem[], tree: SpanTree): ReadonlySet<string> {
  const checks = items.filter(({ isCheck }) => isCheck);
  if (checks.length === 0) return new Set();
  const outer = new Set(
    items.flatMap((item) => (item.kind === 'span' && item.isOfGenAi && !item.isCheck ? (spanKeyOf(item) ?? []) : [])),
  );
  return new Set(checks.flatMap((item) => (tree.isBelow(item, outer) ? (spanKeyOf(item) ?? []) : [])));
}

/** The answer that a candidate is with what others add to it, or why it cannot be taken over. */
export function createAnswerItem(
  { item, members, content, fields }: Candidate,
  added: Additions,
): AnswerItem | Refusal {
  if (isRefusal(content)) return content;
  if (isRefusal(fields)) return fields;
  const { kind, index, traceId, spanId, startedAtUnixNano } = item;
  const { semanticRefs, sourceRefs, ...known } = fields;
  return {
    index,
    signal: kind,
    ...known,
    question: content.question,
    answer: content.answer,
    // What the sender says of its refs is all of them; only where it says nothing, they come from the trace.
    semanticRefs:
      semanticRefs ?? takeDistinct([...members.flatMap((member) => member.semanticRefs), ...added.semanticRefs]),
    sourceRefs: sourceRefs ?? takeDistinct([...members.flatMap((member) => member.sourceRefs), ...added.sourceRefs]),
    traceId,
    spanId,
    startedAtUnixNano,
  };
}

/** The first refs that differ from those before, as many as a record holds. */
function takeDistinct(refs: readonly JsonObject[]): readonly JsonObject[] {
  const distinct = new Map(refs.map((ref) => [canonicalize(ref), ref]));
  return [...distinct.values()].slice(0, REFS_MAX);
}
