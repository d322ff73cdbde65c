import type { UserCaller } from '@answer-evidence/access';
import type { TokenRow } from '@answer-evidence/tables';

/** Whose tokens a user may see and revoke: members those that speak for them, managers all (undefined). */
export function reachOf(user: UserCaller): string | undefined {
  return user.role === 'manager' ? undefined : user.userId;
}

/** Whether a token of their workspace is among them. */
export function isInReach(user: UserCaller, token: TokenRow): boolean {
  const userId = reachOf(user);
  return userId === undefined || token.user_id === userId;
}
