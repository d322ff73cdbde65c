import { type MarkedFilters, RECORD_FILTER_COLUMNS, RECORD_STATUSES } from '@answer-evidence/contracts';
import { startOfDay } from '../../components/start-of-day.ts';
import type { SearchTexts } from '../../shell/search.ts';

type ReviewKey = Exclude<(typeof RECORD_FILTER_COLUMNS)[number], 'application_key' | 'environment'>;

/** What a reviewer searches by: keys that an application gave, each by its whole value. */
export const REVIEW_KEYS: readonly ReviewKey[] = [
  'external_message_id',
  ...RECORD_FILTER_COLUMNS.filter((name) => !['application_key', 'environment', 'external_message_id'].includes(name)),
] as readonly ReviewKey[];

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Every name in the address that narrows the list. */
export const FILTER_NAMES = [
  ...RECORD_FILTER_COLUMNS,
  ...['status', 'created_after', 'created_before', 'answered_after', 'answered_before'],
];

/** Ends of windows, and how many days after their day they are. */
const ENDS = [
  ['created_after', 0],
  ['created_before', 1],
  ['answered_after', 0],
  ['answered_before', 1],
] as const;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z$/;

/**
 * The filters that an address states. Dates are days of the reader, from its start up to the end of the other; a time
 * is that time.
 */
export function readFilters(search: SearchTexts): MarkedFilters {
  const filters: Record<string, string> = {};
  for (const name of RECORD_FILTER_COLUMNS) if (search[name] !== undefined) filters[name] = search[name];
  const status = RECORD_STATUSES.find((known) => known === search['status']);
  for (const [name, daysLater] of ENDS) {
    const end = readEnd(search[name], daysLater);
    if (end !== undefined) filters[name] = end;
  }
  return {
    ...filters,
    ...(status === undefined ? {} : { status }),
  };
}

function readEnd(text: string | undefined, daysLater: number): string | undefined {
  return TIME.test(text ?? '') ? text : startOfDay(text, daysLater);
}

/** The record id in a text that somebody pasted into the search, or undefined. */
export function findRecordId(text: string): string | undefined {
  const trimmed = text.trim();
  return UUID.test(trimmed) ? trimmed.toLowerCase() : undefined;
}
