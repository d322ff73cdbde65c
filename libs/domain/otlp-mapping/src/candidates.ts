import { ANSWERS_KEY, CONTENT_RULES, MARK_PREFIX, MESSAGE_EVENTS, MODEL_CALLS } from './mapping-table.ts';
import type { OtlpItem, OtlpLogRecord } from './otlp-item.ts';
import { bodyMembers, eventNameOf, type Place, placesOf } from './places.ts';
import { applies, type Content, readContent } from './read-content.ts';
import { Rejection } from './rejection.ts';

/** An item, or the log records of one conversation, that may be an answer. */
export type Candidate = {
  /** What the result is named after: for several log records the last that is part of an answer. */
  readonly item: OtlpItem;
  readonly members: readonly OtlpItem[];
  /** The sender marked it as an answer. */
  readonly marked: boolean;
  readonly places: readonly Place[];
  readonly content: Content | Rejection;
  /** It is one call of a model, and not what calls models. */
  readonly isModelCall: boolean;
};

const EXACT_KEYS: ReadonlySet<string> = new Set(
  CONTENT_RULES.filter(({ event, form }) => event === null && form !== 'indexed').map(({ key }) => key),
);
const PREFIXES: readonly string[] = [
  MARK_PREFIX,
  ...CONTENT_RULES.flatMap(({ indexed }) => (indexed === undefined ? [] : [indexed.prefix])),
];
const EVENTS: ReadonlySet<string> = new Set(CONTENT_RULES.flatMap(({ event }) => event ?? []));
const MESSAGES: ReadonlySet<string> = new Set(MESSAGE_EVENTS);

function isContentKey(key: string): boolean {
  return EXACT_KEYS.has(key) || PREFIXES.some((prefix) => key.startsWith(prefix));
}

/** Whether an item is marked as an answer; true also of an attribute that nobody reads. */
function isMarked(item: OtlpItem): boolean {
  const has = ({ key }: { readonly key: string }) => key.startsWith(MARK_PREFIX);
  return item.attributes.some(has) || (item.kind === 'log' && bodyMembers(item).some(has));
}

/** Whether the resource says that only marked items are answers. */
function isOnlyMarked({ resource }: OtlpItem): boolean {
  return resource.attributes.some(({ key, value }) => key === ANSWERS_KEY && value === 'marked');
}

/**
 * The candidates of a batch, in its order: marked items, and those that hold an answer under a convention, or cannot be
 * read although they hold the attributes of one, or hold a framework's state without an answer. An item with a question
 * only is not one: a turn in which a model asks for a tool has no answer.
 */
export function findCandidates(items: readonly OtlpItem[]): readonly Candidate[] {
  const conversations = groupMessages(items);
  return items.flatMap((item): readonly Candidate[] => {
    const members = conversations.get(item);
    if (members === null) return [];
    if (members === undefined && !mayHoldContent(item)) return [];
    const candidate = createCandidate(item, members ?? [item]);
    if (candidate.marked) return [candidate];
    if (isOnlyMarked(item)) return [];
    const { content } = candidate;
    const mayAnswer = content instanceof Rejection || content.answer !== null || content.hasUnreadState;
    return mayAnswer ? [candidate] : [];
  });
}

function mayHoldContent(item: OtlpItem): boolean {
  if (item.attributes.some(({ key }) => isContentKey(key))) return true;
  if (item.kind === 'span') return item.events.some(({ name }) => EVENTS.has(name));
  const event = eventNameOf(item);
  return (event !== null && EVENTS.has(event)) || bodyMembers(item).some(({ key }) => isContentKey(key));
}

function createCandidate(item: OtlpItem, members: readonly OtlpItem[]): Candidate {
  const places = members.flatMap((member) => placesOf(member));
  const marked = members.some(isMarked);
  return { item, members, marked, places, ...tryRead(item, places) };
}

const NO_CONTENT: Content = { question: null, answer: null, hasUnreadState: false };

function tryRead(item: OtlpItem, places: readonly Place[]): Pick<Candidate, 'content' | 'isModelCall'> {
  const own = places.find(({ event }) => event === null);
  if (own === undefined) return { content: NO_CONTENT, isModelCall: false };
  try {
    const isModelCall = item.kind === 'log' || MODEL_CALLS.some((condition) => applies(condition, own));
    return { content: readContent(own, places), isModelCall };
  } catch (error) {
    if (error instanceof Rejection) return { content: error, isModelCall: false };
    throw error;
  }
}

/**
 * Groups log records of older conventions, which hold one message each. The unmarked ones of a span are one
 * conversation, at the place of its last choice: that item maps to all of them, the others to null.
 */
function groupMessages(items: readonly OtlpItem[]): ReadonlyMap<OtlpItem, readonly OtlpItem[] | null> {
  const bySpan = new Map<string, OtlpLogRecord[]>();
  const roles = new Map<OtlpItem, readonly OtlpItem[] | null>();
  for (const item of items) {
    if (item.kind !== 'log' || isMarked(item)) continue;
    const event = eventNameOf(item);
    if (event === null || !MESSAGES.has(event)) continue;
    roles.set(item, null);
    if (item.traceId === null || item.spanId === null) continue;
    const span = `${item.traceId}:${item.spanId}`;
    const group = bySpan.get(span);
    if (group === undefined) bySpan.set(span, [item]);
    else group.push(item);
  }
  for (const group of bySpan.values()) {
    const lead = group.findLast((item) => eventNameOf(item) === 'gen_ai.choice') ?? group.at(-1);
    if (lead !== undefined) roles.set(lead, group);
  }
  return roles;
}
