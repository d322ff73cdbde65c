import type { IgnoredReason } from '@answer-evidence/contracts';
import type { AnswerItem } from '../item/answer-item.ts';
import type { OtlpItem, RejectedItem } from '../item/otlp-item.ts';
import { isRefusal } from '../item/refusal.ts';
import { findNames } from '../read/listed-attributes.ts';
import type { ReducedItem } from '../read/reduced-item.ts';
import { createFailureCheck } from './failed-runs.ts';
import { createSpanTree } from './span-tree.ts';

/** Items that have the application, the instrumentation and the reason in common. */
export type IgnoredKind = {
  readonly applicationKey: string;
  readonly scopeName: string;
  readonly reason: IgnoredReason;
  /** Why they were refused, or what was left out of them: a sentence without values. Missing for the others. */
  readonly detail?: string;
  /** Names of the attributes of one of them, without values. */
  readonly attributeNames: readonly string[];
};

/** An item that is no answer by itself. */
type IgnoredItem = {
  readonly kind: number;
  readonly traceId: string | null;
  readonly spanId: string | null;
};

/** Items that are no answers by themselves. Bounded names and no values. */
export type IgnoredOfRequest = { readonly kinds: readonly IgnoredKind[]; readonly items: readonly IgnoredItem[] };

/** What is told of an item that is ignored; rules may give another reason than the item itself. */
type Ignorable = Pick<ReducedItem, 'applicationKey' | 'scopeName' | 'reason' | 'detail'>;

function tellableOf(item: ReducedItem): Ignorable {
  const { applicationKey, scopeName, reason } = item;
  const detail = whyUnread(item);
  return detail === undefined ? { applicationKey, scopeName, reason } : { applicationKey, scopeName, reason, detail };
}

/** Names of attributes of one item of each kind, without values; plain data. */
type NamesOfKinds = ReadonlyMap<string, readonly string[]>;

const NAMES_MAX = 32;
/** The form that names have in every convention; others may be texts of somebody. */
const NAME = /^[a-zA-Z][\w.\-/:]{0,99}$/;

/** The names that items of a request may be listed with; `reduced` is what was made of them, in the same order. */
export function findNamesOfKinds(items: readonly OtlpItem[], reduced: readonly ReducedItem[]): NamesOfKinds {
  const names = new Map<string, readonly string[]>();
  const nameOf = createNameOf();
  for (const [n, made] of reduced.entries()) {
    const item = items[n];
    const kind = nameOf(tellableOf(made));
    if (item === undefined || made.marked || names.has(kind)) continue;
    names.set(kind, boundNames(item));
  }
  return names;
}

/** The reason of what has an answer in a trace without any: it is a step, such as the call of a check or a draft. */
export const LOST: IgnoredReason = 'other_operation';

/**
 * The items that are neither answers nor refused: no answers by themselves, or below one. `taken`: the positions of
 * those that are answers or refused. In a trace with a record the others are part of it, or stand beside it, as the
 * caller knows.
 */
export function findIgnored(
  items: readonly ReducedItem[],
  taken: ReadonlySet<number>,
  names: NamesOfKinds = new Map(),
): IgnoredOfRequest {
  const numbers = new Map<string, number>();
  const nameOf = createNameOf();
  const kinds: IgnoredKind[] = [];
  const ignored: IgnoredItem[] = [];
  // What is below a run that failed could be an answer by itself.
  const hasFailed = items.some((item) => item.hasFailed) ? createFailureCheck(items, createSpanTree(items)) : undefined;
  for (const item of items) {
    const { traceId, spanId } = item;
    const { applicationKey, scopeName, detail } = tellableOf(item);
    // Of what was decided before, only the place in its trace is known.
    if (taken.has(item.index) || (item.reason === null && (item.answer === null || item.isRefused === true))) continue;
    const reason = item.reason ?? (hasFailed?.(item) === true ? 'failed' : LOST);
    const more = detail === undefined ? {} : { detail };
    const name = nameOf({ applicationKey, scopeName, reason, ...more });
    let kind = numbers.get(name);
    if (kind === undefined) {
      kind = kinds.length;
      numbers.set(name, kind);
      // What could be an answer was named as one.
      const attributeNames = names.get(name) ?? names.get(nameOf({ applicationKey, scopeName, reason: null })) ?? [];
      kinds.push({ applicationKey: applicationKey ?? '', scopeName, reason, ...more, attributeNames });
    }
    ignored.push({ kind, traceId, spanId });
  }
  return { kinds, items: ignored };
}

/** Whose an item is, and what made it. */
export type Origin = Pick<ReducedItem, 'applicationKey' | 'scopeName'>;

/** What is told of items, such as why they are refused, in the form of what is ignored. */
export function findTold(
  reason: IgnoredReason,
  told: readonly RejectedItem[],
  originOf: (item: RejectedItem) => Origin | undefined,
): IgnoredOfRequest {
  const numbers = new Map<string, number>();
  const kinds: IgnoredKind[] = [];
  const items = told.map((item) => {
    const { applicationKey = null, scopeName = '' } = originOf(item) ?? {};
    const { traceId, spanId, reason: detail } = item;
    const name = JSON.stringify([applicationKey, scopeName, detail]);
    const kind = numbers.get(name) ?? kinds.length;
    numbers.set(name, kind);
    if (kind === kinds.length)
      kinds.push({ applicationKey: applicationKey ?? '', scopeName, reason, detail, attributeNames: [] });
    return { kind, traceId, spanId };
  });
  return { kinds, items };
}

/** Why nothing is read of an item, where that is known: a sentence without values. */
export function whyUnread({ reason, answer, detail }: Pick<ReducedItem, 'reason' | 'answer' | 'detail'>) {
  const isMade = answer !== null && !isRefusal(answer.content) && answer.content.made !== undefined;
  return detail ?? (reason === 'unread_state' && isMade ? MADE : undefined);
}

/** What a state shows that names no answer. */
const MADE =
  'its state has sentences that it was not given: where calls of models did not write all of them, only a rule of its ' +
  'application can say which one was told';

/** What was left out of answers, as `findTold` takes it. */
export function findWarnings(answers: readonly AnswerItem[]): readonly RejectedItem[] {
  return answers.flatMap(({ index, traceId, spanId, warnings = [] }) =>
    warnings.map((reason) => ({ index, traceId, spanId, reason })),
  );
}

/** Why answers have no question where something stands in the place of one, as `findTold` takes it. */
export function findUnsaid(answers: readonly AnswerItem[]): readonly RejectedItem[] {
  return answers.flatMap((answer) => {
    const { index, traceId, spanId } = answer;
    const why = whyUnasked(answer);
    return why === undefined ? [] : [{ index, traceId, spanId, reason: `it has no question: ${why}` }];
  });
}

/** Why an answer has no question, where that is known; undefined otherwise. */
export function whyUnasked({ isUnsaid, isUnfound }: AnswerItem): string | undefined {
  if (isUnfound === true) return UNFOUND;
  return isUnsaid === true ? UNSAID : undefined;
}

/** What stands in the place of a question, and is not one. */
const UNSAID =
  'what stands there is a chat in one text, JSON, an object or a prompt in which no place is known to be one';

/** Rules of the application look where nothing is that somebody said. */
const UNFOUND = 'the rules of its application look for one, and no text is there';

/** Names kinds of items. Most items are of the kind of the one before, which is then named already. */
function createNameOf(): (one: Ignorable) => string {
  let last: Ignorable | undefined;
  let name = '';
  return (one) => {
    const { applicationKey, scopeName, reason, detail } = one;
    const isSame =
      last?.applicationKey === applicationKey &&
      last.scopeName === scopeName &&
      last.reason === reason &&
      last.detail === detail;
    if (!isSame) name = JSON.stringify([applicationKey, scopeName, reason, detail]);
    last = one;
    return name;
  };
}

function boundNames(item: OtlpItem): readonly string[] {
  const { read, notRead } = findNames(item);
  return [...read, ...notRead].filter((name) => NAME.test(name)).slice(0, NAMES_MAX);
}
