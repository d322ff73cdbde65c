import type { UserCaller } from '@answer-evidence/access';
import { ServiceError } from '@answer-evidence/contracts';
import type { AdministrationStore, ListedToken } from '@answer-evidence/ports';
import { isInReach } from './reach.ts';

/** The token that a user names. Throws `not_found`: another's token and none at all look the same to a member. */
export async function getTokenInReach(
  administration: Pick<AdministrationStore, 'findTokenOf'>,
  user: UserCaller,
  tokenId: string,
): Promise<ListedToken> {
  const token = await administration.findTokenOf(user.workspaceId, tokenId);
  if (token === undefined || !isInReach(user, token))
    throw new ServiceError('not_found', 'no such token exists in this workspace; check its id');
  return token;
}
