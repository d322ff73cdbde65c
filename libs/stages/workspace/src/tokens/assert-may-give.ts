import { isAllowed, type UserCaller } from '@answer-evidence/access';
import { type Scope, ServiceError, TEXT_SCOPES } from '@answer-evidence/contracts';

/** Throws `role_not_allowed` for a token that gives more than its issuer has: an operator of applications no texts. */
export function assertMayGive(user: UserCaller, scopes: readonly Scope[]): void {
  const surplus = scopes.filter((scope) => TEXT_SCOPES.includes(scope));
  if (isAllowed(user, 'tokens.texts') || surplus.length === 0) return;
  throw new ServiceError(
    'role_not_allowed',
    `only a manager may issue a token with ${surplus.join(' or ')}, which give texts; ask one, or leave them out`,
  );
}
