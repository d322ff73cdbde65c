import { regionOf } from './region-of.ts';

const DAY_MS = 86_400_000;

/**
 * A span of time whose end is not part of it: by its days where it is made of whole days of UTC, with times in the
 * reader's zone otherwise. Undefined where the two are no span.
 */
export function formatTimeSpan(from: string, to: string, language: string): string | undefined {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  if (Number.isNaN(start) || Number.isNaN(end) || end <= start) return undefined;
  const isDays = start % DAY_MS === 0 && end % DAY_MS === 0;
  const format = new Intl.DateTimeFormat(
    regionOf(language),
    isDays ? { dateStyle: 'medium', timeZone: 'UTC' } : { dateStyle: 'medium', timeStyle: 'short' },
  );
  return `${format.formatRange(start, isDays ? end - DAY_MS : end)}${isDays ? ' UTC' : ''}`;
}
