import { boundsOf, isAllowed, type UserCaller } from '@answer-evidence/access';
import type { TokenReach } from '@answer-evidence/ports';
import type { TokenRow } from '@answer-evidence/tables';

/**
 * Whose tokens a user may see and revoke: everybody their own, an operator of applications those of their applications
 * too, and a manager all (undefined).
 */
export function reachOf(user: UserCaller): TokenReach | undefined {
  const { userId, role } = user;
  if (role === 'manager') return undefined;
  return {
    userId,
    applications: isAllowed(user, 'tokens.applications') ? (boundsOf(user)?.applications ?? 'all') : [],
  };
}

/** Whether a token of their workspace is among them. */
export function isInReach(user: UserCaller, token: Bound): boolean {
  const reach = reachOf(user);
  return reach === undefined || isReached(reach, token);
}

/** What a token is bound to. */
type Bound = Pick<TokenRow, 'user_id' | 'application_key'>;

/** Whether a token is within a reach. */
export function isReached({ userId, applications }: TokenReach, { user_id: of, application_key: key }: Bound): boolean {
  return of === userId || (key !== null && (applications === 'all' || applications.includes(key)));
}
