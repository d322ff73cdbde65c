import { regionOf } from '../../components/region-of.ts';

/** A day of UTC, in a language. */
export function formatDay(day: string, language: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return day;
  return new Intl.DateTimeFormat(regionOf(language), {
    dateStyle: 'medium',
    timeZone: 'UTC',
  }).format(date);
}
