import { MICROS_PER_DAY } from '@answer-evidence/encoding';

/** Days since 1970, the last one excluded, in units of which there are never many. */
type PlannedDays = { readonly from: number; readonly to: number; readonly unit: 'day' | 'week' | 'month' };

/** Most days that are shown one by one, and in weeks. */
const [BY_DAY_MAX, BY_WEEK_MAX] = [62, 430];

/** The last days with today, from the beginning of a unit on: never more than 121 units. */
export function planDays(days: number, nowMicros: number): PlannedDays {
  const today = Math.floor(nowMicros / MICROS_PER_DAY);
  const from = today - days + 1;
  const to = today + 1;
  if (days <= BY_DAY_MAX) return { from, to, unit: 'day' };
  // 1970 began on a Thursday.
  if (days <= BY_WEEK_MAX) return { from: from - ((from + 3) % 7), to, unit: 'week' };
  const first = new Date(from * 86_400_000);
  return { from: from - first.getUTCDate() + 1, to, unit: 'month' };
}

/** A day since 1970 as a date of RFC 3339. */
export function formatDay(day: number): string {
  return new Date(day * 86_400_000).toISOString().slice(0, 10);
}
