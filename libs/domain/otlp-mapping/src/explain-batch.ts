import type { ExplainedItem, OtlpExplanation } from '@answer-evidence/contracts';
import { boundScope } from './ignored-items.ts';
import { findReason } from './ignored-reason.ts';
import { findNames } from './listed-attributes.ts';
import { decideItems } from './map-batch.ts';
import { MAPPING_VERSION } from './mapping-table.ts';
import type { OtlpBatch, OtlpItem } from './otlp-item.ts';
import { type ReducedItem, reduceItems } from './reduced-item.ts';

const ITEMS_MAX = 1_000;
const NAMES_MAX = 200;
const NAME_LENGTH_MAX = 100;

/** What would become of the items of a request if nothing else of their traces came, and what of them is read. */
export function explainBatch({ signal, items, rejected: unread }: OtlpBatch): OtlpExplanation {
  const reduced = reduceItems(items);
  const decided = decideItems(reduced);
  const answers = new Set(decided.items.map(({ index }) => index));
  const answered = new Set(decided.items.map(({ traceId }) => traceId));
  const refusals = new Map(decided.rejected.map(({ index, reason }) => [index, reason]));

  function judge(item: OtlpItem, made: ReducedItem): Pick<ExplainedItem, 'outcome' | 'reason' | 'detail'> {
    const detail = refusals.get(item.index);
    if (detail !== undefined) return { outcome: 'refused', reason: null, detail };
    if (answers.has(item.index)) return { outcome: 'answer', reason: null, detail: null };
    const reason = findReason(item, made);
    const adds = made.sourceRefs.length + made.semanticRefs.length > 0 || made.message !== null;
    const isPart = answered.has(item.traceId) && (reason === null || adds);
    // What could be an answer by itself and is in no trace with one has lost it to a mark, or lacks its other half.
    return isPart
      ? { outcome: 'part', reason: null, detail: null }
      : { outcome: 'ignored', reason: reason ?? 'no_answer', detail: null };
  }

  const explained = items.slice(0, ITEMS_MAX).flatMap((item, n): readonly ExplainedItem[] => {
    const made = reduced[n];
    if (made === undefined) return [];
    const { read, notRead } = findNames(item);
    const names = { read: bound(read), not_read: bound(notRead) };
    return [{ ...placeOf(item), scope_name: boundScope(item.scope.name), ...judge(item, made), ...names }];
  });
  const refused = unread.slice(0, ITEMS_MAX).map((item): ExplainedItem => {
    const none = { scope_name: '', reason: null, read: [], not_read: [] };
    return { ...placeOf(item), outcome: 'refused', detail: item.reason, ...none };
  });
  return {
    mapping_version: MAPPING_VERSION,
    signal,
    item_count: items.length + unread.length,
    items: [...explained, ...refused].sort((a, b) => a.index - b.index).slice(0, ITEMS_MAX),
  };
}

function placeOf({ index, traceId, spanId }: Pick<OtlpItem, 'index' | 'traceId' | 'spanId'>) {
  return { index, trace_id: traceId, span_id: spanId };
}

function bound(names: readonly string[]): string[] {
  return names.slice(0, NAMES_MAX).map((name) => name.toWellFormed().slice(0, NAME_LENGTH_MAX).toWellFormed());
}
