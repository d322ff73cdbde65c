import type { UserCaller } from '@answer-evidence/access';
import type { TokenRow } from '@answer-evidence/tables';

/** Whether a user may see and revoke a token of their workspace: managers all, members those that speak for them. */
export function isInReach(user: UserCaller, token: TokenRow): boolean {
  return user.role === 'manager' || token.user_id === user.userId;
}
