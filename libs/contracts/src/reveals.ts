import * as z from 'zod';
import { isVisible } from './primitives.ts';
import { atMost } from './text-length.ts';

/** Why a person may need to read the texts of a record. */
export const REVEAL_REASON_CODES = ['review', 'complaint', 'incident', 'audit', 'legal_request', 'other'] as const;

/** Longest reason, in UTF-16 code units. */
export const REVEAL_REASON_MAX = 500;

/** Body of `POST /api/answer-audit-logs/{answer_log_id}/reveal`. The log keeps both for ever: no personal data. */
export const revealRequest = z.strictObject({
  reason_code: z.enum(REVEAL_REASON_CODES),
  reason: z.string().refine(isVisible, 'must not be empty').check(atMost(REVEAL_REASON_MAX)).meta({ minLength: 1 }),
});
export type RevealRequest = z.infer<typeof revealRequest>;
