import type { Caller, UserCaller } from '@answer-evidence/access';
import { ServiceError } from '@answer-evidence/contracts';

/** The caller of a route that is not public. Throws `unauthenticated` when there is none. */
export function authenticated(caller: Caller | null): Caller {
  if (caller === null)
    throw new ServiceError('unauthenticated', 'a bearer token is required; send Authorization: Bearer TOKEN');
  return caller;
}

/** The user who calls. Throws `unauthenticated`, or `token_kind_not_allowed` for an application. */
export function authenticatedUser(caller: Caller | null): UserCaller {
  const someone = authenticated(caller);
  if (someone.kind !== 'user')
    throw new ServiceError('token_kind_not_allowed', 'application tokens are not allowed here; use a user token');
  return someone;
}
