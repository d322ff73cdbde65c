import * as z from 'zod';
import { PAGE_SIZE_MAX } from './pages.ts';
import { anyUuid } from './primitives.ts';

/** Body of `POST /api/trust/packs`: the records of an evidence pack, in this order. */
export const createPackRequest = z.strictObject({
  answer_log_ids: z
    .array(anyUuid)
    .min(1, 'must name at least one record')
    .max(PAGE_SIZE_MAX, `must name at most ${PAGE_SIZE_MAX} records`)
    .refine((ids) => new Set(ids).size === ids.length, 'must name each record once'),
  /** Leaves the texts of question, answer and corrections out: the bundles are then of version 2. */
  texts: z.literal('withheld').optional(),
});
export type CreatePackRequest = z.infer<typeof createPackRequest>;
