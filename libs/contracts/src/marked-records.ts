import * as z from 'zod';
import { pageOf, pageQuery } from './pages.ts';
import { dateTime, key, timestamp } from './primitives.ts';
import { recordFilters, recordSummary } from './records.ts';

/**
 * What narrows a list of records with marks: what narrows every list of records, and when their importer says that the
 * answers were given.
 */
export const markedFilters = recordFilters.extend({
  answered_after: dateTime.optional(),
  answered_before: dateTime.optional(),
});
export type MarkedFilters = z.infer<typeof markedFilters>;

/** Query of `GET /api/search/records`. */
export const markedRecordsQuery = markedFilters.extend(pageQuery.shape);

/** A record with what tells it apart in a list. */
export const markedRecord = z.strictObject({
  record: recordSummary,
  /** What ever became of it; `record.status` says the last of these alone. */
  is_corrected: z.boolean(),
  is_voided: z.boolean(),
  is_redacted: z.boolean(),
  /** Whether the quorum of witnesses cosigned a tree that holds it; null where the policy asks for none. */
  is_witnessed: z.boolean().nullable(),
  /** Whether the outside anchors of the policy hold such a tree; null where the policy has none. */
  is_anchored: z.boolean().nullable(),
  /** What the newest comparison with a list said of it; null where none covers it. */
  reconciled: z.enum(['matched', 'findings']).nullable(),
  /** When its importer claims that the answer was given: nothing proves it. Null where nobody claims it. */
  answered_at: timestamp.nullable(),
});
export type MarkedRecord = z.infer<typeof markedRecord>;
/** `GET /api/search/records`, newest record first. */
export const markedRecordList = pageOf(markedRecord);
export type MarkedRecordList = z.infer<typeof markedRecordList>;

/** Query of `GET /api/search/answered`. */
export const answeredQuery = markedFilters.pick({ answered_after: true, answered_before: true }).extend({
  application_key: key.optional(),
});

/** How many imported answers are claimed to be of one day, week, month or year, which begins on `from`. */
const answeredCount = z.strictObject({ from: z.iso.date(), records: z.int().nonnegative() });
/** `GET /api/search/answered`: imported answers by the time that is claimed for them. Parts without any are absent. */
export const answeredCounts = z.strictObject({
  unit: z.enum(['day', 'week', 'month', 'year']),
  counts: z.array(answeredCount),
});
export type AnsweredCounts = z.infer<typeof answeredCounts>;
