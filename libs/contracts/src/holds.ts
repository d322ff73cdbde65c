import * as z from 'zod';
import { actor } from './actors.ts';
import { leafPosition } from './ledger-entries.ts';
import { pageOf, pageQuery } from './pages.ts';
import { anyUuid, isVisible, shownName, timestamp, uuid } from './primitives.ts';
import { recordFilters } from './records.ts';
import { atMost } from './text-length.ts';

/** Most holds of a workspace that are in force at once. */
export const HOLDS_MAX = 100;
/** Most records that one hold names by their ids. */
export const HOLD_RECORDS_MAX = 1_000;
/** Longest name of a matter, in UTF-16 code units. */
export const HOLD_MATTER_LENGTH_MAX = 200;
/** Longest reason of a hold and of its release, in UTF-16 code units. */
export const HOLD_REASON_LENGTH_MAX = 1_000;

/**
 * Which records a hold covers: what narrows the list of records, but not their status, which an event changes. None of
 * these ever changes, so no record leaves a hold. `{}` is every record.
 */
export const holdFilters = recordFilters.omit({ status: true });
export type HoldFilters = z.infer<typeof holdFilters>;

const reason = z
  .string()
  .refine(isVisible, 'must not be empty')
  .check(atMost(HOLD_REASON_LENGTH_MAX))
  .meta({ minLength: 1 });

/** Body of `POST /api/holds`: either `filters` or `answer_log_ids`. The log keeps matter and reasons for ever. */
export const placeHoldRequest = z
  .strictObject({
    matter: shownName(HOLD_MATTER_LENGTH_MAX),
    reason,
    filters: holdFilters.optional(),
    answer_log_ids: z
      .array(anyUuid)
      .min(1, 'must have at least 1 item')
      .max(HOLD_RECORDS_MAX, `must have at most ${HOLD_RECORDS_MAX} items`)
      .optional(),
  })
  .refine(
    ({ filters, answer_log_ids: ids }) => (filters === undefined) !== (ids === undefined),
    'must have either filters or answer_log_ids; {"filters": {}} holds every record',
  );
export type PlaceHoldRequest = z.infer<typeof placeHoldRequest>;

/** Body of `POST /api/holds/{hold_id}/release`. */
export const releaseHoldRequest = z.strictObject({ reason });
export type ReleaseHoldRequest = z.infer<typeof releaseHoldRequest>;

/** The end of a hold. */
export const holdRelease = z.strictObject({
  released_at: timestamp,
  released_by: actor,
  reason: z.string(),
  ledger: leafPosition,
});

/** How many records a hold covers now; `gte` where they are more than are counted. */
export const heldRecords = z.strictObject({ count: z.int().nonnegative(), relation: z.enum(['eq', 'gte']) });

/**
 * A hold: the matter that it is for, and the records that it covers, those that come later too. One of `filters` and
 * `answer_log_ids` is null.
 */
export const hold = z.strictObject({
  id: uuid,
  matter: z.string(),
  reason: z.string(),
  filters: holdFilters.nullable(),
  answer_log_ids: z.array(uuid).nullable(),
  placed_at: timestamp,
  placed_by: actor,
  ledger: leafPosition,
  release: holdRelease.nullable(),
  records: heldRecords,
});
export type Hold = z.infer<typeof hold>;

/** Query of `GET /api/holds`. */
export const holdQuery = z.strictObject({
  status: z.enum(['in_force', 'released']).optional(),
  ...pageQuery.shape,
});

/** `GET /api/holds`, newest first. */
export const holdList = pageOf(hold);
export type HoldList = z.infer<typeof holdList>;

/** A hold as the page of a record names it. */
export const holdOfRecord = z.strictObject({ id: uuid, matter: z.string(), placed_at: timestamp });
export type HoldOfRecord = z.infer<typeof holdOfRecord>;
/** `GET /api/holds/of-record/{answer_log_id}`: the holds in force that cover it, oldest first. */
export const holdsOfRecord = z.strictObject({ items: z.array(holdOfRecord) });

/** The parameters of a path of one hold. */
export const ofHold = z.strictObject({ hold_id: anyUuid });
