import type { OtlpFateRow } from '@answer-evidence/tables';

/** Most traces of one sender that are remembered until they are written. */
const TRACES_REMEMBERED_MAX = 2_000;
/** Ids of spans that are kept of each line, each with the blank after it. */
const SPANS_MAX = 100;
const SPAN_ID_LENGTH = 17;

/** What is common to the fates of a request. */
type FateKind = Pick<OtlpFateRow, 'application_key' | 'scope_name' | 'reason' | 'detail' | 'sender'>;

/** What became of traces of one sender. Each call takes the same time, whatever is remembered. */
export type RememberedFates = {
  /** Remembers a trace, if there is room for it. */
  add(kind: FateKind, traceId: string, make: () => OtlpFateRow): void;
  rows(): readonly OtlpFateRow[];
};

/** Of a sender who has sent nothing yet. */
export function createRememberedFates(): RememberedFates {
  /** What has nothing to do with answers; what somebody may have to do something about takes its place. */
  const unrelated = new Map<string, OtlpFateRow>();
  const others = new Map<string, OtlpFateRow>();

  function hasRoom(isUnrelated: boolean): boolean {
    if (unrelated.size + others.size < TRACES_REMEMBERED_MAX) return true;
    if (isUnrelated) return false;
    const [first] = unrelated.keys();
    return first !== undefined && unrelated.delete(first);
  }

  return {
    add({ application_key, scope_name, reason, detail }, traceId, make) {
      const isUnrelated = reason === 'unrelated';
      const fates = isUnrelated ? unrelated : others;
      const name = JSON.stringify([traceId, application_key, scope_name, reason, detail]);
      const before = fates.get(name);
      if (before === undefined && !hasRoom(isUnrelated)) return;
      const fate = make();
      const spans = `${before?.span_ids ?? ''}${fate.span_ids}`.slice(0, SPANS_MAX * SPAN_ID_LENGTH);
      fates.set(name, { ...fate, span_ids: spans, item_count: fate.item_count + (before?.item_count ?? 0) });
    },
    rows: () => [...others.values(), ...unrelated.values()],
  };
}

/** Ids of spans as a line keeps them. */
export function formatSpanIds(spans: readonly { readonly spanId: string | null }[]): string {
  const ids = spans.flatMap(({ spanId }) => (spanId === null ? [] : [`${spanId} `]));
  return ids.slice(0, SPANS_MAX).join('');
}
