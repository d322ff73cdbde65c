import type { OtlpItem } from './otlp-item.ts';

/** How far up it is looked for what items share; agents nest a few tens of spans deep. */
const SHARED_ANCESTORS_MAX = 64;

/** Which span is below which, as far as one batch shows. */
export type SpanTree = {
  /**
   * Ids of the spans above an item, nearest first, as `<trace id>:<span id>`, at most some tens. A log record is below
   * the span in which it was written. Empty if the parents form a circle.
   */
  ancestorsOf(item: OtlpItem): readonly string[];
  /** Whether one of these spans is an ancestor of the item. False where the parent links form a cycle. */
  isBelow(item: OtlpItem, spans: ReadonlySet<string>): boolean;
};

/** How spans are named here; null for an item that belongs to none. */
export function spanKeyOf({ traceId, spanId }: Pick<OtlpItem, 'traceId' | 'spanId'>): string | null {
  return traceId === null || spanId === null ? null : `${traceId}:${spanId}`;
}

/** The tree of a batch's spans. Each query takes time linear in the batch at most, whatever the links are. */
export function createSpanTree(items: readonly OtlpItem[]): SpanTree {
  const parents = new Map<string, string | null>();
  for (const item of items) {
    if (item.kind !== 'span') continue;
    const key = `${item.traceId}:${item.spanId}`;
    if (!parents.has(key)) parents.set(key, item.parentSpanId && `${item.traceId}:${item.parentSpanId}`);
  }
  const above = (item: OtlpItem): string | null | undefined => {
    const own = spanKeyOf(item);
    // A log record has no parent of its own but lies in its span.
    return item.kind === 'log' || own === null ? own : parents.get(own);
  };
  const endless = findEndless(parents);
  const belowBy = new WeakMap<ReadonlySet<string>, Map<string, boolean>>();
  return {
    ancestorsOf(item) {
      const found: string[] = [];
      for (let next = above(item); typeof next === 'string' && found.length < SHARED_ANCESTORS_MAX;) {
        if (endless.has(next)) return [];
        found.push(next);
        next = parents.get(next);
      }
      return found;
    },
    isBelow(item, spans) {
      const known = belowBy.get(spans) ?? new Map<string, boolean>();
      belowBy.set(spans, known);
      const first = above(item);
      if (typeof first !== 'string' || endless.has(first)) return false;
      const way: string[] = [];
      let next: string | null | undefined = first;
      while (typeof next === 'string' && !known.has(next)) {
        way.push(next);
        next = parents.get(next);
      }
      let result = typeof next === 'string' && known.get(next) === true;
      for (const span of way.toReversed()) known.set(span, (result ||= spans.has(span)));
      return result;
    },
  };
}

/** Spans from which the way up has no end. */
function findEndless(parents: ReadonlyMap<string, string | null>): ReadonlySet<string> {
  const endless = new Set<string>();
  const ending = new Set<string>();
  for (const start of parents.keys()) {
    const way = new Set<string>();
    let next: string | null | undefined = start;
    while (typeof next === 'string' && !way.has(next) && !ending.has(next) && !endless.has(next)) {
      way.add(next);
      next = parents.get(next);
    }
    const isEndless = typeof next === 'string' && !ending.has(next);
    for (const span of way) (isEndless ? endless : ending).add(span);
  }
  return endless;
}
