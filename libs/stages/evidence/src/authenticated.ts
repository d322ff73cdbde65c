import type { Caller } from '@answer-evidence/access';
import { ServiceError } from '@answer-evidence/contracts';

/** The caller of a route that is not public. */
export function authenticated(caller: Caller | null): Caller {
  if (caller === null) throw new ServiceError('unauthenticated', 'a token is needed');
  return caller;
}
