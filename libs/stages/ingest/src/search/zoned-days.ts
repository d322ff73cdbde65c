/** A day of a calendar: month 1 to 12. */
export type Day = { readonly year: number; readonly month: number; readonly day: number };

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** How far a zone is ahead of UTC at a moment, in milliseconds. */
function offsetAt(atMs: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(atMs);
  const of = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value);
  const shown = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  return shown - Math.floor(atMs / 1000) * 1000;
}

/** When clocks of the zone show so many minutes after the start of a day: a moment in milliseconds since 1970. */
export function momentOf({ year, month, day }: Day, minutes: number, timeZone: string): number {
  const shown = Date.UTC(year, month - 1, day) + minutes * MINUTE_MS;
  const guess = shown - offsetAt(shown, timeZone);
  // The offset of the guess is that of the moment, unless the clocks were set in between.
  return shown - offsetAt(guess, timeZone);
}

/** The day that clocks of the zone show at a moment. */
export function dayAt(atMs: number, timeZone: string): Day {
  return dayOf(atMs + offsetAt(atMs, timeZone));
}

/** So many days later, or earlier. */
export function addDays({ year, month, day }: Day, days: number): Day {
  return dayOf(Date.UTC(year, month - 1, day) + days * DAY_MS);
}

/** 0 for Sunday to 6 for Saturday. */
export function weekdayOf({ year, month, day }: Day): number {
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay();
}

/** Whether the calendar has the day, in years that the service can tell. */
export function isDay({ year, month, day }: Day): boolean {
  const real = dayOf(Date.UTC(year, month - 1, day));
  return year >= 1970 && year < 2200 && real.year === year && real.month === month && real.day === day;
}

/** Whether a day comes after another one. */
export function isAfter(one: Day, other: Day): boolean {
  return Date.UTC(one.year, one.month - 1, one.day) > Date.UTC(other.year, other.month - 1, other.day);
}

function dayOf(shownMs: number): Day {
  const date = new Date(shownMs);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}
