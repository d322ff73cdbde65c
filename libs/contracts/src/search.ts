import * as z from 'zod';
import { anyUuid, isVisible, NAMED_ID_LENGTH_MAX, OPEN_VALUES, timestamp, uuid } from './primitives.ts';
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
  'words',
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
        'An id of a record, message, trace, customer or session, an idempotency key, a time or day, an application, ' +
        'or words of the texts',
    }),
  time_zone: z
    .string()
    .check(atMost(64))
    .refine(isTimeZone, 'must be a time zone such as Europe/Berlin')
    .optional()
    .meta({ description: 'The zone in which days and times of the text are meant; default UTC' }),
  size: z.int().min(1).max(SEARCH_SIZE_MAX).optional(),
  session: anyUuid
    .optional()
    .meta({ description: 'Of `POST /api/search/sessions`: with it, words are searched for in the texts' }),
});
export type SearchRequest = z.infer<typeof searchRequest>;

/** What a part of a search was taken for. */
export const searchMeaning = z.enum(SEARCH_MEANINGS).meta(OPEN_VALUES);

/**
 * One way in which the text was understood: the filters of `GET /api/answer-audit-logs` that find the same. Words are
 * no filter: with them, the others find more.
 */
export const searchReading = z.strictObject({
  means: z.array(searchMeaning).min(1),
  /** Empty where the text names one record. */
  filters: recordFilters,
  total: z.int().nonnegative(),
  total_relation: z.enum(['eq', 'gte']),
});
export type SearchReading = z.infer<typeof searchReading>;

/**
 * Whether texts were searched for words. `off`: the workspace does not; `needs_reason`: a session is needed, and none
 * of the caller's is open; `none`: none of the words tells texts apart.
 */
export const wordSearchState = z.enum(['searched', 'needs_reason', 'off', 'none']).meta(OPEN_VALUES);

/** What became of the words of a text that nothing else explains. */
export const wordSearch = z.strictObject({
  state: wordSearchState,
  /** The words that each record found has in its texts, as they were typed. */
  used: z.array(z.string()),
  /** The others: no record has them with the rest, or they say too little. */
  left_out: z.array(z.string()),
  /** Words that no text has, with similar ones that were looked for instead. */
  similar: z.array(z.strictObject({ word: z.string(), instead: z.array(z.string()) })),
  /** Whether the words are so common that only the newest records were looked at. */
  is_limited: z.boolean(),
  /** Whether the index has the texts of all records. */
  is_complete: z.boolean(),
});
export type WordSearch = z.infer<typeof wordSearch>;

/** How long a reason holds for searches in texts. */
export const SEARCH_SESSION_MINUTES = 30;

/** Response of `POST /api/search/sessions`, asked as a reveal is. Its `id` is that of the entry in the log. */
export const searchSession = z.strictObject({ id: uuid, expires_at: timestamp });
export type SearchSession = z.infer<typeof searchSession>;

/** How an index of words does. `ending`: switched off, and some of it is still to be erased. */
export const wordIndexCondition = z.enum(['off', 'building', 'ready', 'ending']).meta(OPEN_VALUES);

/** `GET /api/search/words`: whether words of texts are searched for, and how far they are indexed. */
export const wordIndexState = z.strictObject({
  state: wordIndexCondition,
  /** Entries of the log whose texts are in the index, of all that there are. */
  indexed_entries: z.int().nonnegative(),
  entries: z.int().nonnegative(),
});
export type WordIndexState = z.infer<typeof wordIndexState>;

/** Response of `POST /api/search`: how the text was understood, and the newest records of all readings, no texts. */
export const searchResult = z.strictObject({
  understood: z.array(searchReading),
  /** The part of the text that no reading used; null where each part has a meaning. */
  not_understood: z.string().nullable(),
  items: z.array(recordSummary),
  /** Null where no word was left to look for. */
  words: wordSearch.nullable(),
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
