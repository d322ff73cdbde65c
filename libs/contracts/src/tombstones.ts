import * as z from 'zod';
import { timestamp, uuid } from './primitives.ts';

/** Returned in place of an erased item; for an expired one, `event_id` is the id of the `text_expired` entry. */
export const tombstone = z.strictObject({
  event_id: uuid,
  reason_code: z.string().nullable(),
  redacted_at: timestamp,
});
export type Tombstone = z.infer<typeof tombstone>;
