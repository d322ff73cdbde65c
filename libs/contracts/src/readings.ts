import * as z from 'zod';
import { actor } from './actors.ts';
import { mentionedName } from './entries.ts';
import { leafPosition } from './ledger-entries.ts';
import { pageOf, pageQuery } from './pages.ts';
import { anyUuid, dateTime, timestamp, uuid } from './primitives.ts';

/**
 * The headers by which any request says why the texts in its reply are read: a code of the closed list, and words in
 * percent-encoded UTF-8, since a header has ASCII only.
 */
export const REASON_CODE_HEADER = 'Service-Reason-Code';
export const REASON_HEADER = 'Service-Reason';

/** The header of a request that wants no texts, and of a reply that has none though the record has. */
export const TEXTS_HEADER = 'Service-Texts';
export const TEXTS_WITHHELD = 'withheld';

/** Filters of the report of readings. */
export const readingFilters = z.strictObject({
  /** Who read: the id of a member, or the key of an application. */
  actor_id: z.string().min(1, 'must not be empty').optional(),
  /** Readings of this record. */
  answer_log_id: anyUuid.optional(),
  created_after: dateTime.optional(),
  created_before: dateTime.optional(),
});
export type ReadingFilters = z.infer<typeof readingFilters>;
/** Query of the report. */
export const readingQuery = z.strictObject({ ...readingFilters.shape, ...pageQuery.shape });

/**
 * A reading of texts: who was given those of which records, when, by which operation (null for a reveal, whose entry
 * does not say it), and why (null where no reason was given). `id` is that of its entry in the log.
 */
export const reading = z.strictObject({
  id: uuid,
  created_at: timestamp,
  actor,
  names: z.array(mentionedName),
  operation: z.string().nullable(),
  answer_log_ids: z.array(uuid),
  reason_code: z.string().nullable(),
  reason: z.string().nullable(),
  ledger: leafPosition,
});
export type Reading = z.infer<typeof reading>;

/** `GET /api/readings`. */
export const readingList = pageOf(reading);
export type ReadingList = z.infer<typeof readingList>;
