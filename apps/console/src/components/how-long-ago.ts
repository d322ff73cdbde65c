const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const UNITS = [
  ['hour', 60],
  ['minute', 1],
] as const;

/**
 * How far a time is from now, in the unit that a reader thinks in; negative: it is over. From a whole day on, days of
 * UTC are counted and not spans of 24 hours: lists name these days, and yesterday is the day before this one.
 */
export function howLongAgo(atMs: number, nowMs: number): readonly [number, Intl.RelativeTimeFormatUnit] {
  if (Math.abs(atMs - nowMs) >= DAY_MS) return [Math.floor(atMs / DAY_MS) - Math.floor(nowMs / DAY_MS), 'day'];
  const minutes = Math.round((atMs - nowMs) / MINUTE_MS);
  const [unit, size] = UNITS.find(([, each]) => Math.abs(minutes) >= each) ?? (['minute', 1] as const);
  return [Math.round(minutes / size), unit];
}
