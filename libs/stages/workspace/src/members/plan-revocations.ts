import type { Actor, TokenRevokedCore } from '@answer-evidence/contracts';
import { type AdministrationStore, type IdSource, newCoreIdentity } from '@answer-evidence/ports';
import type { TokenRow } from '@answer-evidence/tables';

/** One revocation for each token of a member that could be good now, a rotated one among them. */
export async function planRevocations(
  deps: IdSource & { readonly administration: AdministrationStore },
  workspaceId: string,
  memberId: string,
  actor: Actor,
): Promise<readonly TokenRevokedCore[]> {
  const now = deps.clock.nowMicros();
  const tokens = await deps.administration.tokensOfUser(workspaceId, memberId);
  return tokens
    .filter((token) => isGood(token, now))
    .map(({ id }) => ({ ...newCoreIdentity(deps), token_id: id, actor }));
}

function isGood(token: TokenRow, now: number): boolean {
  const isKept = token.revoked_at === null || (token.cut_at === null && (token.overlap_until ?? 0) > now);
  return isKept && token.expires_at > now;
}
