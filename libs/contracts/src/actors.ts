import * as z from 'zod';
import { uuid } from './primitives.ts';

/** Who did something: an application (its key), a user (their id), or the service itself (its part's name). */
export const actor = z.strictObject({
  kind: z.enum(['application', 'user', 'service']),
  id: z.string(),
  token_id: uuid.nullable(),
});
export type Actor = z.infer<typeof actor>;
