import type { ViewFilters } from '@answer-evidence/contracts';
import type { SearchTexts } from '../../shell/search.ts';
import { readFilters } from './filters.ts';

/** The last days that a view goes along with. */
const RECENT_DAYS = [1, 7, 30] as const;

/** The day of the reader so many days ago, as addresses have it. */
export function dayBefore(days: number): string {
  const now = new Date();
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() - days);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

/** What an address narrows the list to, as a view keeps it: the last days stay the last days. */
export function toViewFilters(search: SearchTexts): ViewFilters {
  const { created_after: after, ...filters } = readFilters(search);
  const recent = RECENT_DAYS.find((days) => search['created_after'] === dayBefore(days - 1));
  if (recent !== undefined && search['created_before'] === undefined) return { ...filters, recent_days: recent };
  return after === undefined ? filters : { ...filters, created_after: after };
}

/** The address of a view, today. */
export function toSearch({ recent_days: days, ...filters }: ViewFilters): Record<string, string> {
  const search: Record<string, string> = {};
  for (const [name, value] of Object.entries(filters)) if (value !== undefined) search[name] = value;
  if (days !== undefined) search['created_after'] = dayBefore(days - 1);
  return search;
}
