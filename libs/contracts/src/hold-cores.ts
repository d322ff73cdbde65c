import * as z from 'zod';
import { actor } from './actors.ts';
import { commonCore } from './cores.ts';
import { holdFilters } from './holds.ts';
import { timestamp, uuid } from './primitives.ts';
import { RECORD_FILTER_COLUMNS } from './records.ts';

/**
 * Core of `hold_placed`: from this leaf on nothing that the hold covers expires or is redacted. One of `filters` and
 * `answer_log_ids` is there. Matter and reason stay for as long as the log.
 */
export const holdPlacedCore = z.strictObject({
  ...commonCore,
  version: z.int().positive(),
  matter: z.string(),
  reason: z.string(),
  filters: holdFilters.exactOptional(),
  answer_log_ids: z.array(uuid).min(1).exactOptional(),
  actor,
});
export type HoldPlacedCore = z.infer<typeof holdPlacedCore>;

const text = z.string().exactOptional();

/** The same as a verifier reads it, which does not know what the service accepts as a filter. */
export const statedHoldCore = z
  .strictObject({
    ...holdPlacedCore.shape,
    filters: z
      .strictObject({
        ...(Object.fromEntries(RECORD_FILTER_COLUMNS.map((column) => [column, text])) as {
          readonly [Column in (typeof RECORD_FILTER_COLUMNS)[number]]: typeof text;
        }),
        created_after: timestamp.exactOptional(),
        created_before: timestamp.exactOptional(),
      })
      .exactOptional(),
  })
  .refine((core) => (core.filters === undefined) !== (core.answer_log_ids === undefined));

/** Core of `hold_released`: from this leaf on the hold of this entry covers nothing. */
export const holdReleasedCore = z.strictObject({
  ...commonCore,
  version: z.int().positive(),
  hold_id: uuid,
  matter: z.string(),
  reason: z.string(),
  actor,
});
export type HoldReleasedCore = z.infer<typeof holdReleasedCore>;
