import type { OtlpSignal, RejectedItem } from './otlp-item.ts';

/** Most items that a message names; a batch of hundreds usually has one cause. */
const NAMED_MAX = 20;

/** The `error_message` of a partial success: how many were refused, and why the first ones were. Empty for none. */
export function formatRejections(signal: OtlpSignal, rejected: readonly RejectedItem[]): string {
  if (rejected.length === 0) return '';
  const noun = signal === 'traces' ? 'span' : 'log record';
  const sorted = rejected.toSorted((a, b) => a.index - b.index);
  const named = sorted.slice(0, NAMED_MAX).map(({ index, traceId, spanId, reason }) => {
    const ids = [traceId === null ? '' : `trace ${traceId}`, spanId === null ? '' : `span ${spanId}`];
    const of = ids.filter((id) => id !== '').join(', ');
    return `${noun} ${index}${of === '' ? '' : ` (${of})`}: ${reason}`;
  });
  const more = sorted.length - named.length;
  const head = `${sorted.length} ${noun}${sorted.length === 1 ? ' was' : 's were'} not accepted`;
  return `${head}: ${named.join('; ')}${more === 0 ? '' : `; and ${more} more`}`;
}
