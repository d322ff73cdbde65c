import {
  RECONCILIATION_BODY_BYTES_MAX,
  RECONCILIATION_WINDOW_SECONDS_MAX,
  REFERENCES_MAX,
} from '@answer-evidence/contracts';
import { utf8 } from '@answer-evidence/encoding';
import { formatReferenceLine, type Reference } from '@answer-evidence/reconciliation';
import { UsageError } from '../usage-error.ts';

/** One run to ask for; times in microseconds. */
export type PlannedWindow = { readonly from: number; readonly to: number; readonly references: readonly Reference[] };

/** A long window in pieces. */
export type WindowPlan = {
  /** In the order of time, without overlap. */
  readonly windows: readonly PlannedWindow[];
  /** Stretches in which no reference lies: a run of them would be refused. */
  readonly gaps: readonly { readonly from: number; readonly to: number }[];
  /** References outside of the whole window. */
  readonly outside: number;
};

const WINDOW_MICROS_MAX = RECONCILIATION_WINDOW_SECONDS_MAX * 1_000_000;
/** For the members of the body beside its references. */
const BODY_RESERVE_BYTES = 64 * 1024;

/**
 * Cuts a window into valid runs: of equal lengths of at most seven days, and those again where one holds more
 * references than a run may. Together the windows and the gaps are the whole window, each time once. Throws
 * `UsageError` when more references have one time than a run may hold.
 */
export function planWindows(references: readonly Reference[], from: number, to: number): WindowPlan {
  const inside = references
    .filter(({ occurredAt }) => from <= occurredAt && occurredAt < to)
    .sort((a, b) => a.occurredAt - b.occurredAt);
  const windows: PlannedWindow[] = [];
  const gaps: { from: number; to: number }[] = [];
  const parts = Math.max(1, Math.ceil((to - from) / WINDOW_MICROS_MAX));
  let next = 0;
  for (let part = 0; part < parts; part++) {
    const end = part === parts - 1 ? to : from + Math.floor(((to - from) / parts) * (part + 1));
    let start = part === 0 ? from : from + Math.floor(((to - from) / parts) * part);
    const upcoming = inside[next];
    if (upcoming === undefined || upcoming.occurredAt >= end) {
      gaps.push({ from: start, to: end });
      continue;
    }
    while (start < end) {
      const { count, cut } = takeReferences(inside, next, end);
      windows.push({ from: start, to: cut, references: inside.slice(next, next + count) });
      next += count;
      start = cut;
    }
  }
  return { windows, gaps, outside: references.length - inside.length };
}

/** How many references from the place `first` on make one run that ends at `end` or before, and where it ends. */
function takeReferences(sorted: readonly Reference[], first: number, end: number) {
  let bytes = 0;
  let count = 0;
  for (; count < REFERENCES_MAX; count++) {
    const reference = sorted[first + count];
    if (reference === undefined || reference.occurredAt >= end) return { count, cut: end };
    bytes += utf8(formatReferenceLine(reference)).length + 1;
    if (bytes > RECONCILIATION_BODY_BYTES_MAX - BODY_RESERVE_BYTES) break;
  }
  const following = sorted[first + count];
  if (following === undefined || following.occurredAt >= end) return { count, cut: end };
  // References of one time stay together: a window ends between two times.
  const cut = following.occurredAt;
  while (count > 0 && sorted[first + count - 1]?.occurredAt === cut) count -= 1;
  if (count === 0)
    throw new UsageError('too many references have the same time for one run; use times with a finer resolution');
  return { count, cut };
}
