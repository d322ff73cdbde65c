import * as z from 'zod';
import { isVisible, NAMED_ID_LENGTH_MAX, OPEN_VALUES } from './primitives.ts';
import { recordFilters, recordSummary } from './records.ts';
import { atMost } from './text-length.ts';

/** Most records that one search brings. */
export const SEARCH_SIZE_MAX = 50;
/** Records of a search that names no size. */
export const SEARCH_SIZE_DEFAULT = 20;

/** What a text that was searched for can mean, and how it is compared: as a whole, or part by part. */
export const SEARCH_MEANINGS = [
  'record_id',
  'idempotency_key',
  'external_message_id',
  'external_trace_id',
  'actor_id',
  'session_id',
  'application',
  'environment',
  'time',
] as const;

/** Whether the runtime knows the zone. */
function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Body of `POST /api/search`. A body, so that no address or log has what somebody searched for. */
export const searchRequest = z.strictObject({
  text: z
    .string()
    .refine(isVisible, 'must not be empty')
    .check(atMost(NAMED_ID_LENGTH_MAX))
    .refine((text) => text.isWellFormed(), 'must be well-formed Unicode')
    .meta({
      minLength: 1,
      description:
        'An id of a record, message, trace, customer or session, an idempotency key, a time or day, or an application',
    }),
  time_zone: z
    .string()
    .check(atMost(64))
    .refine(isTimeZone, 'must be a time zone such as Europe/Berlin')
    .optional()
    .meta({ description: 'The zone in which days and times of the text are meant; default UTC' }),
  size: z.int().min(1).max(SEARCH_SIZE_MAX).optional(),
});
export type SearchRequest = z.infer<typeof searchRequest>;

/** What a part of a search was taken for. */
export const searchMeaning = z.enum(SEARCH_MEANINGS).meta(OPEN_VALUES);

/** One way in which the text was understood: the filters of `GET /api/answer-audit-logs` that find the same. */
export const searchReading = z.strictObject({
  means: z.array(searchMeaning).min(1),
  /** Empty where the text names one record. */
  filters: recordFilters,
  total: z.int().nonnegative(),
  total_relation: z.enum(['eq', 'gte']),
});
export type SearchReading = z.infer<typeof searchReading>;

/** Response of `POST /api/search`: how the text was understood, and the newest records of all readings, no texts. */
export const searchResult = z.strictObject({
  understood: z.array(searchReading),
  /** The part of the text that no reading used; null where each part has a meaning. */
  not_understood: z.string().nullable(),
  items: z.array(recordSummary),
});
export type SearchResult = z.infer<typeof searchResult>;

/** `GET /api/search/values`: what records have in the fields of which few values exist; for lists to choose from. */
export const searchValues = z.strictObject({
  applications: z.array(z.string()),
  environments: z.array(z.string()),
  modes: z.array(z.string()),
  /** False where there are too many combinations to list: then the lists are empty. */
  is_complete: z.boolean(),
});
export type SearchValues = z.infer<typeof searchValues>;
