import * as z from 'zod';
import { actor } from './actors.ts';
import { leafPosition } from './ledger-entries.ts';
import { timestamp, uuid } from './primitives.ts';

/** An asset that was put beside a record; the answer was not made from it by that. */
export const evidenceLink = z.strictObject({
  id: uuid,
  asset_id: uuid,
  actor,
  created_at: timestamp,
  ledger: leafPosition,
});
export type EvidenceLink = z.infer<typeof evidenceLink>;
