const DAY_MS = 86_400_000;

/** A window that includes its start and not its end: times of UTC as RFC 3339 has them, or nothing. */
export type Window = { readonly start: string; readonly end: string };

/** The whole days of UTC that have these times in them. */
export function windowOf(times: readonly string[]): Window | undefined {
  const known = times.map((at) => Date.parse(at)).filter((at) => !Number.isNaN(at));
  if (known.length === 0) return undefined;
  const days = known.map((at) => Math.floor(at / DAY_MS));
  const [first, last] = [Math.min(...days), Math.max(...days)];
  return { start: formatTime(first * DAY_MS), end: formatTime((last + 1) * DAY_MS) };
}

/** When a day begins that a field has as `2026-11-20`; nothing for no day. */
export function startOfDay(day: string): string {
  return formatTime(Date.parse(day));
}

/** When the day after it begins: the end of a window whose last day it is. */
export function dayAfter(day: string): string {
  return formatTime(Date.parse(day) + DAY_MS);
}

/** The last day that has a part in a window with this end, as a field has it. */
export function lastDayOf(end: string): string {
  const last = Date.parse(end) - 1;
  return Number.isNaN(last) ? '' : new Date(last).toISOString().slice(0, 10);
}

function formatTime(ms: number): string {
  return Number.isNaN(ms) ? '' : new Date(ms).toISOString().replace('.000Z', 'Z');
}
