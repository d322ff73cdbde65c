import * as z from 'zod';
import { timestamp } from './primitives.ts';
import { atMost } from './text-length.ts';

/** Body of `POST /api/trust/witnesses/test`: a witness as a policy names it. */
export const testWitnessRequest = z.strictObject({
  /** Its verifier key (C2SP signed-note). */
  vkey: z.string().min(1, 'must not be empty').check(atMost(3_000)),
  /** Its submission prefix. */
  url: z.string().min(1, 'must not be empty').check(atMost(2000)),
  /** Ask for a cosignature of the newest published checkpoint, which the witness then keeps as its latest. */
  cosign: z.boolean().optional(),
});
export type TestWitnessRequest = z.infer<typeof testWitnessRequest>;

/**
 * What came of trying an anchor or a witness: it `works`; it `failed`; or it was `not_tried`, since there is nothing
 * to ask it that would store nothing.
 */
export const trustTest = z.strictObject({
  outcome: z.enum(['works', 'failed', 'not_tried']),
  /** More about it, in the words of the service. */
  detail: z.string(),
  /** The time that an authority stated. */
  stated_at: timestamp.nullable(),
});
export type TrustTest = z.infer<typeof trustTest>;
