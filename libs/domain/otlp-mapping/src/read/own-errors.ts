import type { Condition } from '../dialects/condition.ts';
import { ERROR_WORDS, PAUSES } from '../dialects/tables.ts';
import { findSingle } from '../item/attribute-lookup.ts';
import type { AttributeValue, OtlpItem, OtlpSpan } from '../item/otlp-item.ts';

/** The code of a status that says that a span ended with an error. */
const STATUS_ERROR = 2;

/** Whether a span ended with an error of its own. */
export function hasOwnError(item: OtlpItem): boolean {
  return item.kind === 'span' && item.statusCode === STATUS_ERROR && !(isOfProcessor(item) && !hasReason(item));
}

/** Tracers of Vercel's AI SDK, before version 7 and from then on. */
const SCOPES: readonly string[] = ['ai', 'gen_ai'];

/**
 * Whether OpenInference's processor for Vercel's AI SDK had a span. It gives the status of an error to everything that
 * ends after an error in its trace, such as that of a tool, whatever the model made of it.
 */
function isOfProcessor({ scope, attributes }: OtlpSpan): boolean {
  const has = (name: string) => attributes.some(({ key }) => key === name);
  return has('openinference.span.kind') && (SCOPES.includes(scope.name) || has('ai.operationId'));
}

/** The SDK writes each error of a span down, or why a call ended. */
function hasReason({ events, attributes }: OtlpSpan): boolean {
  const reasons = findSingle(attributes, 'gen_ai.response.finish_reasons');
  const isOfCall = findSingle(attributes, 'ai.response.finishReason') === 'error';
  return isOfCall || (Array.isArray(reasons) && reasons.includes('error')) || events.some(isException);
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
