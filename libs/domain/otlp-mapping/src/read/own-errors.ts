import type { Condition } from '../dialects/condition.ts';
import { ERROR_WORDS, PAUSES, STALE_ERRORS } from '../dialects/tables.ts';
import { findSingle } from '../item/attribute-lookup.ts';
import type { AttributeValue, OtlpItem, OtlpSpan } from '../item/otlp-item.ts';

/** The code of a status that says that a span ended with an error. */
const STATUS_ERROR = 2;

/** Whether a span ended with an error of its own. */
export function hasOwnError(item: OtlpItem): boolean {
  if (item.kind !== 'span' || item.statusCode !== STATUS_ERROR) return false;
  const stale = staleErrorsOf(item);
  return stale === undefined || hasReason(item, stale);
}

/** What gives the status of an error to a span that has no reason of its own for it, if the span is one of its. */
function staleErrorsOf({ scope, attributes }: OtlpSpan): StaleErrors | undefined {
  const has = (name: string) => attributes.some(({ key }) => key === name);
  return STALE_ERRORS.find((stale) => has(stale.with) && (stale.scopes.includes(scope.name) || has(stale.key)));
}

type StaleErrors = (typeof STALE_ERRORS)[number];

/** Such a span has each of its errors written down, or why a call ended. */
function hasReason({ events, attributes }: OtlpSpan, { reasons, reason }: StaleErrors): boolean {
  const listed = findSingle(attributes, reasons);
  const isOfCall = findSingle(attributes, reason) === 'error';
  return isOfCall || (Array.isArray(listed) && listed.includes('error')) || events.some(isException);
}

function isException({ name }: OtlpSpan['events'][number]): boolean {
  return name === 'exception';
}

/** Whether a span ended because a graph or a workflow stopped to ask a person. */
export function isPaused(item: OtlpItem): boolean {
  if (item.kind !== 'span') return false;
  if (PAUSES.some(({ when }) => when !== undefined && isOneOf(when, findSingle(item.attributes, when.key))))
    return true;
  const told = [item.attributes, ...item.events.filter(isException).map(({ attributes }) => attributes)];
  return told.some((attributes) => attributes.some(({ key, value }) => WORDS.has(key) && isOfPause(value)));
}

const WORDS: ReadonlySet<string> = new Set(['exception.type', 'exception.message', 'error.type', ...ERROR_WORDS]);

function isOneOf({ values }: Condition, value: AttributeValue | undefined): boolean {
  return typeof value === 'string' && values.includes(value);
}

function isOfPause(value: AttributeValue): boolean {
  return typeof value === 'string' && PAUSES.some(({ words }) => words?.test(value) === true);
}
