import type { JsonObject } from '@answer-evidence/contracts';
import { isRefusal, type Refusal } from '../item/refusal.ts';
import type { ItemFields } from '../read/item-fields.ts';
import type { Content } from '../read/read-content.ts';
import type { ReducedItem } from '../read/reduced-item.ts';
import { spanKeyOf } from './span-tree.ts';

/** An item, or the log records of one conversation, that may be an answer. */
export type Candidate = {
  /** What the result is named after: for several log records the last that is part of an answer. */
  readonly item: ReducedItem;
  readonly members: readonly ReducedItem[];
  readonly content: Content | Refusal;
  readonly fields: ItemFields | Refusal;
  readonly isModelCall: boolean;
  readonly isStep: boolean;
  /** Its question is that of a call below it. */
  readonly isBorrowed?: boolean;
  /** Its state may show what somebody was told, and no place of it says so. */
  readonly isUntold?: true;
  /** It is part of another answer, and so is what is below it. */
  readonly isPart?: boolean;
};

/** The candidates among items, in their order. A conversation without an answer is none. */
export function findCandidates(items: readonly ReducedItem[]): readonly Candidate[] {
  let conversations: ReturnType<typeof groupMessages> | undefined;
  return items.flatMap((item): readonly Candidate[] => {
    if (item.answer === null) return [];
    const { answer } = item;
    if (item.message === null) return [{ ...answer, item, members: [item] }];
    const members = (conversations ??= groupMessages(items)).get(item);
    if (members === undefined) return [];
    const whole = joinContents(members);
    if (!isRefusal(whole) && whole.answer === null) return [];
    return [{ ...answer, item, members, content: whole }];
  });
}

/**
 * Whether items are the call of a model alone, with what it was asked and what it said: the answer that it is, since
 * nothing is above, below or beside it. Requests hold thousands of such traces.
 */
export function areLoneCall([item, ...others]: readonly ReducedItem[]): boolean {
  if (item === undefined || others.length > 0 || item.answer === null) return false;
  const { answer, kind, isRoot, marked, message, isRefused, isPaused, hasFailed } = item;
  if (kind !== 'span' || !isRoot || marked || message !== null) return false;
  if (isRefused === true || isPaused === true || hasFailed || !answer.isModelCall || answer.isStep) return false;
  const { content, fields } = answer;
  return !isRefusal(content) && !isRefusal(fields) && content.question !== null && content.answer !== null;
}

/** What a call of a model said; undefined of anything else. */
export function saidByCall({ answer }: ReducedItem): string | undefined {
  if (answer?.isModelCall !== true || isRefusal(answer.content)) return undefined;
  return answer.content.answer?.text;
}

/** Tools and models that its members name; messages before the last one of a user were for other answers. */
export function namedByMembers({ members }: Candidate): readonly JsonObject[] {
  const asked = members.findLastIndex(({ answer }) => {
    return answer !== null && !isRefusal(answer.content) && answer.content.question !== null;
  });
  return members.flatMap(({ message, semanticRefs }, n) => (message !== null && n < asked ? [] : semanticRefs));
}

/** Whether a log record is part of a conversation that lacks its question or its answer. */
export function createHalfCheck(items: readonly ReducedItem[]): (item: ReducedItem) => boolean {
  let half: ReadonlySet<ReducedItem> | undefined;
  return (item) => (half ??= findHalves(items)).has(item);
}

function findHalves(items: readonly ReducedItem[]): ReadonlySet<ReducedItem> {
  const half = new Set<ReducedItem>();
  for (const members of groupMessages(items).values()) {
    const whole = joinContents(members);
    if (isRefusal(whole) || (whole.question !== null && whole.answer !== null)) continue;
    for (const member of members) half.add(member);
  }
  return half;
}

/**
 * Groups log records of older conventions, which hold one message each. Those of a span are one conversation, named
 * after its last choice, in the order of their times.
 */
function groupMessages(items: readonly ReducedItem[]): ReadonlyMap<ReducedItem, readonly ReducedItem[]> {
  const bySpan = Map.groupBy(
    items.filter(({ message, traceId, spanId }) => message !== null && traceId !== null && spanId !== null),
    spanKeyOf,
  );
  return new Map(
    [...bySpan.values()].flatMap((group) => {
      const members = group.toSorted((a, b) => compare(a.startedAtUnixNano, b.startedAtUnixNano));
      const lead = members.findLast(({ message }) => message !== 'other') ?? members.at(-1);
      return lead === undefined ? [] : [[lead, members]];
    }),
  );
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The question of the last message that holds one, and the answer of the first choice, or the last turn, that does. */
function joinContents(members: readonly ReducedItem[]): Content | Refusal {
  const contents = members.flatMap(({ answer }) => answer?.content ?? []);
  const refused = contents.find(isRefusal);
  if (refused !== undefined) return refused;
  const read = contents.filter((content): content is Content => !isRefusal(content));
  const isOfTurns = members.some(({ message }) => message === 'turn');
  const answered = (isOfTurns ? read.toReversed() : read).find(({ answer }) => answer !== null);
  return {
    question: read.findLast(({ question }) => question !== null)?.question ?? null,
    answer: answered?.answer ?? null,
    hasUnreadState: false,
    ...(read.some(({ isUnsaid }) => isUnsaid === true) && { isUnsaid: true }),
  };
}
