import type { Caller, UserCaller } from '@answer-evidence/access';
import { ServiceError } from '@answer-evidence/contracts';

/** The user who calls. Throws `token_kind_not_allowed` for an application. */
export function authenticatedUser(caller: Caller): UserCaller {
  if (caller.kind !== 'user')
    throw new ServiceError('token_kind_not_allowed', 'application tokens are not allowed here; use a user token');
  return caller;
}
