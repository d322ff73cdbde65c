import type { AnswerItem } from '../item/answer-item.ts';
import type { OtlpSignal, RejectedItem } from '../item/otlp-item.ts';
import { derivedKeyOf } from '../read/item-fields.ts';
import { whyUnasked } from './ignored-items.ts';

/** Most items that a message names; a batch of hundreds usually has one cause. */
const NAMED_MAX = 20;

/** The `error_message` of a partial success: how many were refused, and why the first ones were. Empty for none. */
export function formatRejections(signal: OtlpSignal, rejected: readonly RejectedItem[]): string {
  return formatItems(signal, rejected, ['was not accepted', 'were not accepted']);
}

/**
 * The same for answers that lack a half and have no key of the sender, by which a record with the rest could come: the
 * warning that they leave none.
 */
export function formatHalves(signal: OtlpSignal, answers: readonly AnswerItem[]): string {
  const halves = answers.flatMap((half): RejectedItem[] => {
    const { index, traceId, spanId, idempotencyKey, question, answer } = half;
    if ((question !== null && answer !== null) || idempotencyKey !== derivedKeyOf({ traceId, spanId })) return [];
    const lacks = [...(question === null ? ['question'] : []), ...(answer === null ? ['answer'] : [])];
    const why = whyUnasked(half);
    return [
      { index, traceId, spanId, reason: `it has no ${lacks.join(' and no ')}${why === undefined ? '' : `: ${why}`}` },
    ];
  });
  return formatItems(signal, halves, ['leaves no record', 'leave no record']);
}

/** The same for answers that are recorded without an optional attribute. */
export function formatWarnings(signal: OtlpSignal, warnings: readonly RejectedItem[]): string {
  return formatItems(signal, warnings, ['was recorded in part', 'were recorded in part']);
}

function formatItems(
  signal: OtlpSignal,
  items: readonly RejectedItem[],
  [one, several]: readonly [one: string, several: string],
): string {
  if (items.length === 0) return '';
  const noun = signal === 'traces' ? 'span' : 'log record';
  const sorted = items.toSorted((a, b) => a.index - b.index);
  const named = sorted.slice(0, NAMED_MAX).map(({ index, traceId, spanId, reason }) => {
    const ids = [traceId === null ? '' : `trace ${traceId}`, spanId === null ? '' : `span ${spanId}`];
    const of = ids.filter((id) => id !== '').join(', ');
    return `${noun} ${index}${of === '' ? '' : ` (${of})`}: ${reason}`;
  });
  const more = sorted.length - named.length;
  const head = `${sorted.length} ${noun}${sorted.length === 1 ? ` ${one}` : `s ${several}`}`;
  return `${head}: ${named.join('; ')}${more === 0 ? '' : `; and ${more} more`}`;
}
