import { type JsonObject, REFS_MAX } from '@answer-evidence/contracts';
import { canonicalize } from '@answer-evidence/encoding';
import type { AnswerItem, MappedBatch } from './answer-item.ts';
import { findSingle } from './attribute-lookup.ts';
import { type Candidate, findCandidates } from './candidates.ts';
import { findDocumentRefs, findEvaluationRefs, findModelRef } from './derived-refs.ts';
import { readFields } from './item-fields.ts';
import { countDropped } from './listed-attributes.ts';
import { EVALUATION_RULES } from './mapping-table.ts';
import type { OtlpBatch, OtlpItem, RejectedItem } from './otlp-item.ts';
import { placesOf } from './places.ts';
import type { Content } from './read-content.ts';
import { Rejection } from './rejection.ts';
import { createSpanTree, spanKeyOf, type SpanTree } from './span-tree.ts';

/**
 * Maps what was read to answers, by the table of `mapping-table.ts`. Never throws, whatever an item says: one that
 * cannot be taken over is refused alone. The order of attributes means nothing; what is in no rule of the table is in
 * no part of the result.
 */
export function mapBatch(batch: OtlpBatch): MappedBatch {
  const found = findCandidates(batch.items);
  const tree = createSpanTree(found.length === 0 ? [] : batch.items);
  const answers = selectAnswers(answerByCalls(found, tree), tree);
  const additions = collectAdditions(batch.items, answers, tree);
  const items: AnswerItem[] = [];
  const rejected: RejectedItem[] = [];
  let droppedAttributes = additions.from.reduce((sum, item) => sum + countDropped(item), 0);
  for (const answer of answers) {
    for (const member of answer.members) droppedAttributes += countDropped(member);
    try {
      items.push(createAnswerItem(answer, additions.of.get(answer) ?? NOTHING_ADDED));
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      const { index, traceId, spanId } = answer.item;
      rejected.push({ index, traceId, spanId, reason: error.message });
    }
  }
  const ignored = batch.items.length - items.length - rejected.length;
  return { items, rejected, ignored, droppedAttributes };
}

/**
 * Gives what calls models, such as an agent, the answer of the last call below it where its own state names none, and
 * that call's question where it has no question of its own. What still has no answer is no candidate.
 */
function answerByCalls(candidates: readonly Candidate[], tree: SpanTree): readonly Candidate[] {
  const lastBelow = new Map<string, { readonly call: Candidate; readonly content: Content }>();
  for (const call of candidates) {
    const { content, isModelCall } = call;
    if (!isModelCall || content instanceof Rejection || content.answer === null) continue;
    for (const above of tree.ancestorsOf(call.item)) {
      const known = lastBelow.get(above);
      if (known === undefined || isLater(call.item, known.call.item)) lastBelow.set(above, { call, content });
    }
  }
  return candidates.flatMap((candidate): readonly Candidate[] => {
    const { content, isModelCall, item, marked } = candidate;
    if (marked || content instanceof Rejection || (isModelCall && content.answer !== null)) return [candidate];
    const last = lastBelow.get(spanKeyOf(item) ?? '')?.content;
    const question = content.question ?? last?.question ?? null;
    const answer = content.answer ?? last?.answer ?? null;
    return answer === null ? [] : [{ ...candidate, content: { ...content, question, answer } }];
  });
}

/** By the end; of two that end together by their ids, so that the order of the items means nothing. */
function isLater(a: OtlpItem, b: OtlpItem): boolean {
  const [endA, endB] = [a, b].map((item) => (item.kind === 'span' ? item.endTimeUnixNano : item.timeUnixNano));
  return endA === endB ? (a.spanId ?? '') > (b.spanId ?? '') : (endA ?? 0n) > (endB ?? 0n);
}

/**
 * Which candidates are answers. What the sender marked decides: in a trace with marked items only those are. Else a
 * candidate below another one is a step on the way to it, such as the call of a model by an agent, and the outermost
 * ones are the answers.
 */
function selectAnswers(candidates: readonly Candidate[], tree: SpanTree): readonly Candidate[] {
  const markedTraces = new Set(
    candidates.flatMap(({ marked, item }) => (marked && item.traceId ? [item.traceId] : [])),
  );
  const spans = new Set(candidates.flatMap(({ item }) => (item.kind === 'span' ? (spanKeyOf(item) ?? []) : [])));
  return candidates.filter((candidate) => {
    if (candidate.marked) return true;
    const { traceId } = candidate.item;
    if (traceId !== null && markedTraces.has(traceId)) return false;
    return !tree.isBelow(candidate.item, spans);
  });
}

/** What other items of a trace add to an answer. */
type Additions = { readonly sourceRefs: readonly JsonObject[]; readonly semanticRefs: readonly JsonObject[] };

const NOTHING_ADDED: Additions = { sourceRefs: [], semanticRefs: [] };

/** Documents, models and judgements that the other items of the batch name, and the items that name some. */
type Collected = { readonly of: ReadonlyMap<Candidate, Additions>; readonly from: readonly OtlpItem[] };

function collectAdditions(items: readonly OtlpItem[], answers: readonly Candidate[], tree: SpanTree): Collected {
  const of = new Map<Candidate, { sourceRefs: JsonObject[]; semanticRefs: JsonObject[] }>();
  const from: OtlpItem[] = [];
  if (answers.length === 0) return { of, from };
  const owners = createOwners(answers, tree);
  const own = new Set(answers.flatMap(({ members }) => members));
  for (const item of items) {
    if (own.has(item)) continue;
    const to = owners.find(item);
    if (to.length === 0) continue;
    const places = placesOf(item);
    const sources = findDocumentRefs(places, item);
    const model = findModelRef(places);
    const semantics = [...(model === undefined ? [] : [model]), ...findEvaluationRefs(places)];
    if (sources.length === 0 && semantics.length === 0) continue;
    from.push(item);
    for (const answer of to) {
      const added = of.get(answer) ?? { sourceRefs: [], semanticRefs: [] };
      of.set(answer, added);
      if (added.sourceRefs.length < COLLECTED_MAX) added.sourceRefs.push(...sources);
      if (added.semanticRefs.length < COLLECTED_MAX) added.semanticRefs.push(...semantics);
    }
  }
  return { of, from };
}

/** Most answers that one item adds to: thousands of answers and retrievals under one span would be millions of refs. */
const OWNERS_MAX = 8;
/** Refs that are collected for one answer, of which some may be equal. */
const COLLECTED_MAX = 5 * REFS_MAX;

/** Tells whose answer an item adds to. */
type Owners = { find(item: OtlpItem): readonly Candidate[] };

/**
 * An item below an answer belongs to it. Another one belongs to the answers that share its nearest span above, such as
 * a retrieval beside the call of a model under one request; where no such span is known, to the only answer of its
 * trace. A judgement that names the answer's response belongs to that.
 */
function createOwners(answers: readonly Candidate[], tree: SpanTree): Owners {
  const bySpan = new Map<string, Candidate[]>();
  const byTrace = new Map<string, Candidate[]>();
  const below = new Map<string, Candidate[]>();
  const add = (map: Map<string, Candidate[]>, key: string | null, answer: Candidate): void => {
    if (key === null) return;
    const known = map.get(key);
    if (known === undefined) map.set(key, [answer]);
    else known.push(answer);
  };
  for (const answer of answers) {
    add(bySpan, spanKeyOf(answer.item), answer);
    add(byTrace, answer.item.traceId, answer);
    for (const above of tree.ancestorsOf(answer.item)) add(below, above, answer);
  }
  const byResponse = Map.groupBy(answers, ({ item }) => responseOf(item));
  const named = (item: OtlpItem): readonly Candidate[] => {
    const response = responseOf(item);
    const found = response === undefined ? [] : (byResponse.get(response) ?? []);
    return found.length > OWNERS_MAX ? [] : found.filter((answer) => answer.item.traceId === item.traceId);
  };
  return {
    find(item) {
      if (item.traceId === null || !byTrace.has(item.traceId)) return [];
      const span = spanKeyOf(item);
      const ways = [...(span === null ? [] : [span]), ...tree.ancestorsOf(item)];
      for (const above of ways) {
        const found = bySpan.get(above) ?? below.get(above);
        if (found !== undefined) return found.length <= OWNERS_MAX ? found : named(item);
      }
      const all = byTrace.get(item.traceId) ?? [];
      return all.length === 1 ? all : named(item);
    },
  };
}

function responseOf({ attributes }: OtlpItem): string | undefined {
  const value = findSingle(attributes, EVALUATION_RULES.response_id);
  return typeof value === 'string' ? value : undefined;
}

/** Throws `Rejection`. */
function createAnswerItem({ item, members, places, content }: Candidate, added: Additions): AnswerItem {
  if (content instanceof Rejection) throw content;
  const fields = readFields(item, members.length === 1 ? places : placesOf(item));
  const model = findModelRef(places);
  return {
    index: item.index,
    signal: item.kind,
    applicationKey: fields.applicationKey,
    environment: fields.environment,
    idempotencyKey: fields.idempotencyKey,
    question: content.question,
    answer: content.answer,
    // What the sender says of its refs is all of them; only where it says nothing, they come from the trace.
    semanticRefs:
      fields.semanticRefs ??
      takeDistinct([...(model === undefined ? [] : [model]), ...findEvaluationRefs(places), ...added.semanticRefs]),
    sourceRefs: fields.sourceRefs ?? takeDistinct([...findDocumentRefs(places, item), ...added.sourceRefs]),
    traceId: item.traceId,
    spanId: item.spanId,
    externalMessageId: fields.externalMessageId,
    actorIdHash: fields.actorIdHash,
    sessionIdHash: fields.sessionIdHash,
    startedAtUnixNano: item.kind === 'span' ? item.startTimeUnixNano : item.timeUnixNano,
  };
}

/** The first refs that differ from those before, as many as a record holds. */
function takeDistinct(refs: readonly JsonObject[]): readonly JsonObject[] {
  const distinct = new Map(refs.map((ref) => [canonicalize(ref), ref]));
  return [...distinct.values()].slice(0, REFS_MAX);
}
