import type { IgnoredReason } from '@answer-evidence/contracts';
import { CALL_PREFIXES, CALLERS, CONTENT_RULES, MODEL_CALLS, PREFIXES, RUNS } from '../dialects/tables.ts';
import type { OtlpItem } from '../item/otlp-item.ts';
import { isRefusal, type Refusal } from '../item/refusal.ts';
import { createCheck, holds } from './conditions.ts';
import { hasContent, mayHoldContent } from './may-hold-content.ts';
import { isNamedOfModels } from './named-of-models.ts';
import { placesOf } from './places.ts';
import type { Content } from './read-content.ts';

/** Attributes that name the kind of an item: all that a rule makes an exception for but types of contents. */
const KINDS = CONTENT_RULES.flatMap(({ unless }) => unless).filter(
  (condition) => !condition.key.endsWith('.mime_type') && !MODEL_CALLS.some((call) => isSame(call, condition)),
);

/**
 * What describes a call of a model or a run of an agent or a chain, with contents or without. An item of these
 * conventions without any of it is a step, such as a node of a graph or an operation of another name: it has no texts.
 */
const isCall = createCheck([...MODEL_CALLS, ...RUNS, ...CALLERS]);

function isSame(a: { readonly key: string; readonly values: readonly string[] }, b: typeof a): boolean {
  return a.key === b.key && a.values.some((value) => b.values.includes(value));
}

/** What of a read item its reason follows from. */
type Judged = {
  readonly answer: { readonly content: Content | Refusal } | null;
  readonly marked: boolean;
  readonly mayAnswer: boolean;
  readonly hasFailed: boolean;
  readonly isRun: boolean;
  /** What stands in the place of its answer is what nobody was told. */
  readonly isUntold?: true | undefined;
};

/** Why an item is no answer by itself; null where it is one, or is refused. */
export function findReason(
  item: OtlpItem,
  { answer, marked, mayAnswer, hasFailed, isRun, isUntold }: Judged,
): IgnoredReason | null {
  if (answer !== null && (marked || isRefusal(answer.content) || answer.content.answer !== null)) return null;
  if (!mayAnswer) return 'not_marked';
  if (hasFailed) return 'failed';
  const hasState = answer !== null && !isRefusal(answer.content) && answer.content.hasUnreadState;
  if (hasState || isUntold === true) return 'unread_state';
  if (!isRun && !mayHoldContent(item) && !isOfGenAi(item))
    return isNamedOfModels(item) ? 'unknown_convention' : 'unrelated';
  const own = placesOf(item).find(({ event }) => event === null);
  if (own !== undefined && KINDS.some((kind) => holds(kind, own))) return 'other_operation';
  if (hasContent(item)) return 'no_answer';
  const isCalled = isRun || (own !== undefined && isCall(own)) || has(item, CALL_PREFIXES);
  return item.kind === 'log' || isCalled ? 'no_contents' : 'other_operation';
}

/** What nothing is read of: it has no names of the conventions. */
const NOTHING_READ: ReadonlySet<IgnoredReason | null> = new Set(['unrelated', 'unknown_convention']);

/** Whether nothing of an item is of a convention that is read, so that it is no part of an answer either. */
export function isOutside(reason: IgnoredReason | null): boolean {
  return NOTHING_READ.has(reason);
}

/** Whether an item has attributes of one of the conventions. */
export function isOfGenAi(item: Pick<OtlpItem, 'attributes'>): boolean {
  return has(item, PREFIXES);
}

function has({ attributes }: Pick<OtlpItem, 'attributes'>, prefixes: readonly string[]): boolean {
  return attributes.some(({ key }) => prefixes.some((prefix) => key.startsWith(prefix)));
}
