import type { OtlpItem } from './otlp-item.ts';

/** Longest way up that is followed; agents nest a few tens of spans deep. */
const ANCESTORS_MAX = 256;

/** Which span is below which, as far as one batch shows. */
export type SpanTree = {
  /**
   * Ids of the spans above an item, nearest first, each as `<trace id>:<span id>`. A log record is below the span in which it was
   * written. Empty where the way up comes back to where it was, or has no end.
   */
  ancestorsOf(item: OtlpItem): readonly string[];
};

/** How spans are named here; null for an item that belongs to none. */
export function spanKeyOf({ traceId, spanId }: Pick<OtlpItem, 'traceId' | 'spanId'>): string | null {
  return traceId === null || spanId === null ? null : `${traceId}:${spanId}`;
}

/** The tree of the spans of a batch. */
export function createSpanTree(items: readonly OtlpItem[]): SpanTree {
  const parents = new Map<string, string | null>();
  for (const item of items) {
    if (item.kind !== 'span') continue;
    const key = `${item.traceId}:${item.spanId}`;
    if (parents.has(key)) continue;
    parents.set(key, item.parentSpanId === null ? null : `${item.traceId}:${item.parentSpanId}`);
  }
  return {
    ancestorsOf(item) {
      const own = spanKeyOf(item);
      if (own === null) return [];
      const above: string[] = [];
      const seen = new Set<string>([own]);
      // A log record has no parent of its own but lies in its span.
      let next = item.kind === 'log' ? own : parents.get(own);
      if (item.kind === 'log') seen.delete(own);
      while (typeof next === 'string') {
        if (seen.has(next) || above.length === ANCESTORS_MAX) return [];
        seen.add(next);
        above.push(next);
        next = parents.get(next);
      }
      return above;
    },
  };
}
