import { type JsonObject, REFS_MAX } from '@answer-evidence/contracts';
import { canonicalize } from '@answer-evidence/encoding';
import { type Additions, collectAdditions, NOTHING_ADDED } from './additions.ts';
import type { AnswerItem, MappedBatch } from './answer-item.ts';
import { type Candidate, findCandidates } from './candidates.ts';
import type { OtlpBatch } from './otlp-item.ts';
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
  const answers = selectAnswers(answerByCalls(found, tree, given), tree, given);
  const additions = collectAdditions(given, answers, tree);
  const items: AnswerItem[] = [];
  const rejected: MappedBatch['rejected'][number][] = [];
  let droppedAttributes = additions.from.reduce((sum, item) => sum + item.droppedAttributes, 0);
  for (const answer of answers) {
    for (const member of answer.members) droppedAttributes += member.droppedAttributes;
    const made = createAnswerItem(answer, additions.of.get(answer) ?? NOTHING_ADDED);
    const { index, traceId, spanId } = answer.item;
    if (isRefusal(made)) rejected.push({ index, traceId, spanId, reason: made.reason });
    else items.push(made);
  }
  const ignored = given.length - items.length - rejected.length;
  return { items, rejected, ignored, droppedAttributes };
}

/**
 * Gives what calls models, such as an agent, the answer of the last call below it where its own state names none, and
 * that call's question where it has no question of its own. What still has no answer is no candidate, and neither is
 * what only others may take their answer from. If documents were
 * retrieved below, the call's message is taken for a prompt that contains them, and not for a question.
 */
function answerByCalls(
  candidates: readonly Candidate[],
  tree: SpanTree,
  items: readonly ReducedItem[],
): readonly Candidate[] {
  const retrieving = new Set(items.flatMap((item) => (item.sourceRefs.length === 0 ? [] : tree.ancestorsOf(item))));
  const lastBelow = new Map<string, { readonly call: Candidate; readonly content: Content }>();
  for (const call of candidates) {
    const { content, isModelCall } = call;
    if (!isModelCall || isRefusal(content) || content.answer === null) continue;
    for (const above of tree.ancestorsOf(call.item)) {
      const known = lastBelow.get(above);
      if (known === undefined || isLater(call.item, known.call.item)) lastBelow.set(above, { call, content });
    }
  }
  return candidates.flatMap((candidate): readonly Candidate[] => {
    const { content, isModelCall, item } = candidate;
    if (candidate.isStep) return [];
    if (item.marked || isRefusal(content) || (isModelCall && content.answer !== null)) return [candidate];
    const key = spanKeyOf(item) ?? '';
    const last = lastBelow.get(key)?.content;
    const question = content.question ?? (retrieving.has(key) ? null : last?.question) ?? null;
    const answer = content.answer ?? last?.answer ?? null;
    return answer === null ? [] : [{ ...candidate, content: { ...content, question, answer } }];
  });
}

/** By the end; of two that end together by their ids, so that the order of the items means nothing. */
function isLater(a: ReducedItem, b: ReducedItem): boolean {
  const [endA, endB] = [a.endedAtUnixNano, b.endedAtUnixNano];
  return endA === endB ? (a.spanId ?? '') > (b.spanId ?? '') : endA > endB;
}

/**
 * Which candidates are answers. What the sender marked decides: in a trace with marked items only those are. Else a
 * candidate below another one is a step on the way to it, such as the call of a model by an agent, and the outermost
 * ones are the answers; of these, one below a tool or the like only if there is no other in its trace.
 */
function selectAnswers(
  candidates: readonly Candidate[],
  tree: SpanTree,
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
  const asides = new Set(items.flatMap((item) => (item.isAside ? (spanKeyOf(item) ?? []) : [])));
  const isBeside = ({ item }: Candidate) => item.marked || !tree.isBelow(item, asides);
  const answered = new Set(outermost.filter(isBeside).map(({ item }) => item.traceId));
  return outermost.filter((candidate) => isBeside(candidate) || !answered.has(candidate.item.traceId));
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
