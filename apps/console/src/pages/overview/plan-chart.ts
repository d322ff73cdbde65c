import type { Overview, OverviewCounts } from '@answer-evidence/contracts';

/** A bar: the answers of one day, week or month, by the number of the application, and those that are missing. */
type Bar = { readonly from: string; readonly missing: number; readonly values: readonly number[] };

/** What a chart shows. Applications by their names; null is the sum of all others. */
export type Chart = { readonly applications: readonly (string | null)[]; readonly bars: readonly Bar[] };

const DAY_MS = 86_400_000;

/** Every day, week or month of the overview, also those without an answer, and the applications, the largest first. */
export function planChart({ counts, unit, from, to }: Overview): Chart {
  const totals = new Map<string | null, number>();
  for (const { application_key: name, recorded } of counts) totals.set(name, (totals.get(name) ?? 0) + recorded);
  const applications = [...totals.keys()].toSorted(
    (a, b) => Number(a === null) - Number(b === null) || (totals.get(b) ?? 0) - (totals.get(a) ?? 0),
  );
  const byDay = Map.groupBy(counts, (one) => one.from);
  return { applications, bars: listDays(unit, from, to).map((day) => barOf(day, byDay.get(day) ?? [], applications)) };
}

function barOf(from: string, counts: readonly OverviewCounts[], applications: Chart['applications']): Bar {
  const of = (name: string | null) => counts.find(({ application_key: one }) => one === name)?.recorded ?? 0;
  return { from, missing: counts.reduce((sum, { missing }) => sum + missing, 0), values: applications.map(of) };
}

/** The first days of all units. A range that makes no sense has none: there are never more than a chart can show. */
function listDays(unit: Overview['unit'], from: string, to: string): readonly string[] {
  const days: string[] = [];
  const [first, last] = [Date.parse(from), Date.parse(to)];
  for (let at = first; at <= last && days.length < 500; at = next(unit, at))
    days.push(new Date(at).toISOString().slice(0, 10));
  return days;
}

function next(unit: Overview['unit'], at: number): number {
  if (unit === 'month') {
    const day = new Date(at);
    return Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 1);
  }
  return at + (unit === 'week' ? 7 : 1) * DAY_MS;
}

/** The last day of a unit that begins on this one. */
export function lastDayOf(unit: Overview['unit'], from: string): string {
  return new Date(next(unit, Date.parse(from)) - DAY_MS).toISOString().slice(0, 10);
}
