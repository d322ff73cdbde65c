import { type JsonObject, REFS_MAX } from '@answer-evidence/contracts';
import { canonicalize } from '@answer-evidence/encoding';
import type { AnswerItem, MappedBatch } from '../item/answer-item.ts';
import type { OtlpBatch } from '../item/otlp-item.ts';
import { findAsked, nameText } from '../item/prompts.ts';
import { isRefusal, type Refusal } from '../item/refusal.ts';
import type { ItemFields } from '../read/item-fields.ts';
import { type ReducedItem, reduceItems } from '../read/reduced-item.ts';
import { type Additions, collectAdditions, NO_ADDITIONS, NOTHING_ADDED } from './additions.ts';
import { areLoneCall, type Candidate, findCandidates, namedByMembers } from './candidates.ts';
import { createTrace } from './known-trace.ts';
import { PASSES } from './passes.ts';
import { refuseUnreadable } from './refused-items.ts';

/**
 * Maps what was read to answers, by the table of `mapping-table.ts`. Never throws, whatever an item says: one that
 * cannot be taken over is refused alone. The order of attributes means nothing; what is in no rule of the table is in
 * no part of the result.
 */
export function mapBatch(batch: OtlpBatch): MappedBatch {
  return decideItems(reduceItems(batch.items));
}

/** Decides about items as if nothing else of their traces ever came. */
export function decideItems(received: readonly ReducedItem[]): MappedBatch {
  return decide(received, true);
}

/** Decides about items of traces of which more may come, such as the span above several of them. */
export function decideUnfinished(received: readonly ReducedItem[]): MappedBatch {
  return decide(received, false);
}

function decide(received: readonly ReducedItem[], isOver: boolean): MappedBatch {
  const { items: given, rejected: unreadable } = refuseUnreadable(received);
  const { answers, additions } = findAnswers(given, isOver);
  const askedAt = createAskedAt(given);
  const items: AnswerItem[] = [];
  const rejected: MappedBatch['rejected'][number][] = [...unreadable];
  let droppedAttributes = additions.from.reduce((sum, item) => sum + item.droppedAttributes, 0);
  for (const answer of answers) {
    for (const member of answer.members) droppedAttributes += member.droppedAttributes;
    const added = additions.of.get(answer) ?? NOTHING_ADDED;
    const made = createAnswerItem(withoutDocuments(answer, added, askedAt), added);
    const { index, traceId, spanId } = answer.item;
    if (!isRefusal(made)) items.push(made);
    // It was told where it was refused, and what is below it is still a step.
    else if (answer.item.isRefused !== true) rejected.push({ index, traceId, spanId, reason: made.reason });
  }
  const refused = given.filter(({ isRefused }) => isRefused === true).length + rejected.length - unreadable.length;
  return { items, rejected, ignored: given.length - items.length - refused, droppedAttributes };
}

/** The answers among items, and what the others add to them. */
function findAnswers(given: readonly ReducedItem[], isOver: boolean) {
  const candidates = findCandidates(given);
  // Items that are marked are answers, wherever they stand, and none is left that could add to them.
  if (areLoneCall(given) || given.every(({ marked, answer }) => marked && answer !== null))
    return { answers: candidates, additions: NO_ADDITIONS };
  const trace = createTrace(candidates.length === 0 ? [] : given, given, isOver);
  const answers = PASSES.reduce((left, pass) => pass(left, trace), candidates);
  return { answers, additions: collectAdditions(given, answers, trace.tree) };
}

/** When a text was first given to a call or an agent of a trace; undefined where nobody says so. */
type AskedAt = (item: ReducedItem, text: string) => bigint | undefined;

/** Finds it as it is asked for, which few answers do. */
function createAskedAt(items: readonly ReducedItem[]): AskedAt {
  let starts: ReadonlyMap<string, bigint> | undefined;
  return ({ traceId }, text) => {
    starts ??= findFirstStarts(items);
    return starts.get(`${traceId}:${nameText(text)}`);
  };
}

function findFirstStarts(items: readonly ReducedItem[]): ReadonlyMap<string, bigint> {
  const starts = new Map<string, bigint>();
  for (const { traceId, asked, startedAtUnixNano } of items) {
    if (asked === null || startedAtUnixNano === 0n) continue;
    const key = `${traceId}:${asked}`;
    const known = starts.get(key);
    if (known === undefined || startedAtUnixNano < known) starts.set(key, startedAtUnixNano);
  }
  return starts;
}

/**
 * A question without documents that were retrieved for it. Where it is not known what they say, the message of a model
 * call below is taken for a prompt that contains them. A text that was there before they were searched for has none.
 */
function withoutDocuments(answer: Candidate, added: Additions, askedAt: AskedAt): Candidate {
  const { content, item, isBorrowed = false } = answer;
  if (item.marked || isRefusal(content) || content.question?.text === undefined) return answer;
  const found = [
    ...answer.members.flatMap(({ retrieved: own, startedAtUnixNano }) => own && { ...own, startedAtUnixNano }),
    ...added.retrieved,
  ].filter((one) => one !== null);
  if (found.length === 0) return answer;
  const first = askedAt(item, content.question.text);
  const retrieved = found.filter(({ openings, startedAtUnixNano }) => {
    return openings.length > 0 || first === undefined || startedAtUnixNano <= first;
  });
  const isPrompt = content.isPrompt === true || (isBorrowed && retrieved.some(({ openings }) => openings.length === 0));
  const text = findAsked(content.question.text, isPrompt, retrieved);
  if (text === content.question.text) return answer;
  return { ...answer, content: { ...content, question: text === undefined ? null : { text } } };
}

/** The answer that a candidate is with what others add to it, or why it cannot be taken over. */
export function createAnswerItem(answer: Candidate, added: Additions): AnswerItem | Refusal {
  const { item, members, content, fields } = answer;
  if (isRefusal(content)) return content;
  if (isRefusal(fields)) return fields;
  const { kind, index, traceId, spanId, startedAtUnixNano } = item;
  const { semanticRefs, sourceRefs } = fields;
  // Listed one by one: a spread in a literal is a call of the runtime per item, which copies each member.
  return {
    index,
    signal: kind,
    applicationKey: fields.applicationKey,
    environment: fields.environment,
    idempotencyKey: fields.idempotencyKey,
    externalMessageId: fields.externalMessageId,
    actorIdHash: fields.actorIdHash,
    sessionIdHash: fields.sessionIdHash,
    question: content.question,
    answer: content.answer,
    // What the sender says of its refs is all of them; only where it says nothing, they come from the trace.
    semanticRefs: semanticRefs ?? takeDistinct([...namedByMembers(answer), ...added.semanticRefs]),
    sourceRefs:
      sourceRefs ??
      // A retriever that calls another one reports the same documents once more.
      takeDistinct([...members.flatMap((member) => member.sourceRefs), ...added.sourceRefs], 'span_id'),
    traceId,
    spanId,
    startedAtUnixNano,
    ...(isOneCall(item, fields) && { isOneCall: true }),
    ...(fields.warnings !== undefined && { warnings: fields.warnings }),
    ...(content.isUnsaid === true && content.question === null && { isUnsaid: true }),
    ...(content.isUnfound === true && content.question === null && { isUnfound: true }),
  };
}

/** An id that is too long to be kept as it is says nothing of that: it may name more than the response. */
function isOneCall({ responseId, marked }: ReducedItem, { externalMessageId }: ItemFields): boolean {
  return responseId !== null && responseId === externalMessageId && !marked;
}

/** The first refs that differ from those before, in more than one member, as many as a record holds. */
function takeDistinct(refs: readonly JsonObject[], besides?: string): readonly JsonObject[] {
  if (refs.length === 0) return refs;
  const distinct = new Map<string, JsonObject>();
  for (const ref of refs) {
    const compared = Object.fromEntries(Object.entries(ref).filter(([name]) => name !== besides));
    const key = canonicalize(compared);
    if (!distinct.has(key)) distinct.set(key, ref);
  }
  return [...distinct.values()].slice(0, REFS_MAX);
}
