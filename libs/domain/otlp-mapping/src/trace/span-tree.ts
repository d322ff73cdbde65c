import type { ReducedItem } from '../read/reduced-item.ts';

/** What the tree knows of an item. */
type Place = Pick<ReducedItem, 'kind' | 'traceId' | 'spanId' | 'parentSpanId' | 'isRoot'>;

/** How far up it is looked for what items share; agents nest a few tens of spans deep. */
const SHARED_ANCESTORS_MAX = 64;

/** Which span is below which, as far as some items show. */
export type SpanTree = {
  /**
   * Ids of the spans above an item, nearest first, as `<trace id>:<span id>`, at most some tens. A log record is below
   * the span in which it was written. Empty if the parents form a circle.
   */
  ancestorsOf(item: Place): readonly string[];
  /** Whether one of these spans is an ancestor of the item. False where the parent links form a cycle. */
  isBelow(item: Place, spans: ReadonlySet<string>): boolean;
  /** Whether the way up from a span ends at one that is not here, before it comes to a root. */
  isOpen(item: Place): boolean;
};

/** How spans are named here; null for an item that belongs to none. */
export function spanKeyOf({ traceId, spanId }: Pick<Place, 'traceId' | 'spanId'>): string | null {
  return traceId === null || spanId === null ? null : `${traceId}:${spanId}`;
}

/** The tree of some spans. Each query takes time linear in them at most, whatever the links are. */
export function createSpanTree(items: readonly Place[]): SpanTree {
  const parents = new Map<string, string | null>();
  const roots = new Set<string>();
  for (const item of items) {
    if (item.kind !== 'span') continue;
    const key = `${item.traceId}:${item.spanId}`;
    if (parents.has(key)) continue;
    parents.set(key, item.parentSpanId && `${item.traceId}:${item.parentSpanId}`);
    if (item.isRoot) roots.add(key);
  }
  const above = (item: Place): string | null | undefined => {
    const own = spanKeyOf(item);
    // A log record has no parent of its own but lies in its span.
    return item.kind === 'log' || own === null ? own : parents.get(own);
  };
  // Most traces are a root alone, of which neither is asked.
  let endless: ReadonlySet<string> | undefined;
  const isEndless = (span: string) => (endless ??= findEndless(parents)).has(span);
  let open: ReadonlySet<string> | undefined;
  const belowBy = new WeakMap<ReadonlySet<string>, Map<string, boolean>>();
  return {
    ancestorsOf(item) {
      const found: string[] = [];
      for (let next = above(item); typeof next === 'string' && found.length < SHARED_ANCESTORS_MAX;) {
        if (isEndless(next)) return [];
        found.push(next);
        next = parents.get(next);
      }
      return found;
    },
    isBelow(item, spans) {
      const first = above(item);
      if (typeof first !== 'string' || spans.size === 0 || isEndless(first)) return false;
      const known = belowBy.get(spans) ?? new Map<string, boolean>();
      belowBy.set(spans, known);
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
    isOpen: (item) => (open ??= findOpen(parents, roots)).has(spanKeyOf(item) ?? ''),
  };
}

/** Spans from which the way up ends at one that is not here, before it comes to a root. */
function findOpen(parents: ReadonlyMap<string, string | null>, roots: ReadonlySet<string>): ReadonlySet<string> {
  const open = new Set<string>();
  const seen = new Set<string>();
  for (const start of parents.keys()) {
    const way: string[] = [];
    let next: string | null | undefined = start;
    while (typeof next === 'string' && parents.has(next) && !seen.has(next)) {
      seen.add(next);
      way.push(next);
      next = roots.has(next) ? null : parents.get(next);
    }
    if (typeof next === 'string' && (!parents.has(next) || open.has(next))) for (const span of way) open.add(span);
  }
  return open;
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
