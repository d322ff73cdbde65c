import {
  type HoldPlacedCore,
  type HoldReleasedCore,
  RECORD_FILTER_COLUMNS,
  type RecordFilters,
} from '@answer-evidence/contracts';
import { parseTimestamp } from '@answer-evidence/encoding';

/** An entry of the log about a hold, and its place. */
export type HoldEntry = { readonly leafIndex: number } & (
  | { readonly type: 'hold_placed'; readonly core: HoldPlacedCore }
  | { readonly type: 'hold_released'; readonly core: HoldReleasedCore }
);

/** A hold as the log has it: what it covers, and since when. */
export type PlacedHold = Pick<HoldPlacedCore, 'id' | 'matter' | 'filters' | 'answer_log_ids'> & {
  readonly leafIndex: number;
};

/** What of a record decides whether a hold covers it. None of it ever changes. `at` is in microseconds. */
export type HoldableRecord = {
  readonly id: string;
  readonly at: number;
} & { readonly [Column in (typeof RECORD_FILTER_COLUMNS)[number]]: string | null };

/** The holds that are in force below a place in the log, in the order in which they were placed. */
export function holdsInForce(entries: readonly HoldEntry[], beforeLeaf = Infinity): readonly PlacedHold[] {
  const inForce = new Map<string, PlacedHold>();
  for (const entry of entries.toSorted((a, b) => a.leafIndex - b.leafIndex)) {
    if (entry.leafIndex >= beforeLeaf) break;
    if (entry.type === 'hold_released') inForce.delete(entry.core.hold_id);
    else inForce.set(entry.core.id, { ...entry.core, leafIndex: entry.leafIndex });
  }
  return [...inForce.values()];
}

/** Whether a hold covers a record, also one that was recorded after it was placed. */
export function covers(
  { filters, answer_log_ids: ids }: Pick<PlacedHold, 'filters' | 'answer_log_ids'>,
  record: HoldableRecord,
): boolean {
  if (filters === undefined) return ids?.includes(record.id) === true;
  const { created_after: after, created_before: before }: RecordFilters = filters;
  return (
    RECORD_FILTER_COLUMNS.every((column) => filters[column] === undefined || filters[column] === record[column]) &&
    (after === undefined || record.at >= parseTimestamp(after)) &&
    (before === undefined || record.at < parseTimestamp(before))
  );
}

/** The holds that cover at least one of these records. */
export function holdsOver(holds: readonly PlacedHold[], records: readonly HoldableRecord[]): readonly PlacedHold[] {
  return holds.filter((hold) => records.some((record) => covers(hold, record)));
}

/**
 * From when on what is due is due because it was put on hold: the year 2255, after which no retention ends. What is
 * held is out of the way of sweeps there, and comes back with the next release.
 */
export const HELD_FROM = 9_000_000_000_000_000;

/** When what is on hold is due, while so many holds of its workspace have been released. */
export function heldUntil(released: number): number {
  return HELD_FROM + released;
}
