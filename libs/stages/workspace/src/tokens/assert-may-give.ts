import type { UserCaller } from '@answer-evidence/access';
import { type Scope, ServiceError } from '@answer-evidence/contracts';

/** What gives texts. Who issues such a token holds it, and would read without an entry of the log. */
const OF_TEXTS: readonly Scope[] = ['answer_audit:read', 'answer_audit:evidence:read'];

/** Throws `role_not_allowed` for a token that gives more than its issuer has: an operator of applications no texts. */
export function assertMayGive({ role }: UserCaller, scopes: readonly Scope[]): void {
  const surplus = scopes.filter((scope) => OF_TEXTS.includes(scope));
  if (role === 'manager' || surplus.length === 0) return;
  throw new ServiceError(
    'role_not_allowed',
    `only a manager may issue a token with ${surplus.join(' or ')}, which give texts; ask one, or leave them out`,
  );
}
