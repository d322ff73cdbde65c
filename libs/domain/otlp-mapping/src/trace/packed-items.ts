import type { ReducedItem } from '../read/reduced-item.ts';

/** In what items differ of which nothing else is read. */
type Own = 'index' | 'traceId' | 'spanId' | 'parentSpanId' | 'isRoot' | 'startedAtUnixNano' | 'endedAtUnixNano';

/** Where more than every second item is unlike the one before, columns only cost beside the items. */
const LIKE_MIN = 2;

/**
 * Items in columns, to be sent to another thread: thousands of spans that say nothing are a few objects there, and cost
 * a tenth of what they cost one by one. Plain data.
 */
export type PackedItems = PackedColumns | { readonly items: readonly ReducedItem[] };

type PackedColumns = {
  /** Items for all that those have in common which follow them in `likes`. */
  readonly models: readonly ReducedItem[];
  /** For each item, the position of its model. */
  readonly likes: Uint32Array;
  readonly indexes: Uint32Array;
  readonly roots: Uint8Array;
  readonly startedAtUnixNano: BigUint64Array;
  readonly endedAtUnixNano: BigUint64Array;
  /** Ids of all of them, each followed by a line feed; none is empty. */
  readonly traceIds: string;
  readonly spanIds: string;
  readonly parentSpanIds: string;
};

/** All other members, those first in which items differ the most. */
const COMMON = Object.keys({
  answer: true,
  reason: true,
  applicationKey: true,
  scopeName: true,
  kind: true,
  message: true,
  asked: true,
  written: true,
  continued: true,
  sourceRefs: true,
  semanticRefs: true,
  retrieved: true,
  responseId: true,
  droppedAttributes: true,
  hasRemoteParent: true,
  isAside: true,
  isCheck: true,
  isCheckIfNested: true,
  hasFailed: true,
  isPaused: true,
  isOfThread: true,
  isRefused: true,
  isRecorded: true,
  isSilenced: true,
  joinsSiblings: true,
  isOfGenAi: true,
  marked: true,
  mayAnswer: true,
  detail: true,
} satisfies Record<Exclude<keyof ReducedItem, Own>, true>) as readonly Exclude<keyof ReducedItem, Own>[];

/** Packs items; `unpackItems` gives the same. */
export function packItems(items: readonly ReducedItem[]): PackedItems {
  const models: ReducedItem[] = [];
  const likes = new Uint32Array(items.length);
  let model: ReducedItem | undefined;
  for (const [n, item] of items.entries()) {
    if (model === undefined || !isLike(item, model)) models.push((model = item));
    likes[n] = models.length - 1;
  }
  if (models.length * LIKE_MIN > items.length) return { items };
  return {
    models,
    likes,
    indexes: Uint32Array.from(items, ({ index }) => index),
    roots: Uint8Array.from(items, ({ isRoot }) => Number(isRoot)),
    startedAtUnixNano: BigUint64Array.from(items, (item) => item.startedAtUnixNano),
    endedAtUnixNano: BigUint64Array.from(items, (item) => item.endedAtUnixNano),
    traceIds: joinIds(items, 'traceId'),
    spanIds: joinIds(items, 'spanId'),
    parentSpanIds: joinIds(items, 'parentSpanId'),
  };
}

/** The items as they were packed. */
export function unpackItems(packed: PackedItems): readonly ReducedItem[] {
  if ('items' in packed) return packed.items;
  const { models, likes, indexes, roots, startedAtUnixNano, endedAtUnixNano } = packed;
  const [traceIds, spanIds, parentSpanIds] = [packed.traceIds, packed.spanIds, packed.parentSpanIds].map(splitIds);
  return Array.from(likes, (like, n) => ({
    ...(models[like] as ReducedItem),
    index: indexes[n] as number,
    traceId: traceIds?.[n] || null,
    spanId: spanIds?.[n] || null,
    parentSpanId: parentSpanIds?.[n] || null,
    isRoot: roots[n] === 1,
    startedAtUnixNano: startedAtUnixNano[n] as bigint,
    endedAtUnixNano: endedAtUnixNano[n] as bigint,
  }));
}

function isLike(item: ReducedItem, model: ReducedItem): boolean {
  return COMMON.every((name) => item[name] === model[name] || (isNothing(item[name]) && isNothing(model[name])));
}

function isNothing(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function joinIds(items: readonly ReducedItem[], name: 'traceId' | 'spanId' | 'parentSpanId'): string {
  return items.map((item) => item[name] ?? '').join('\n');
}

function splitIds(text: string): readonly string[] {
  return text.split('\n');
}
