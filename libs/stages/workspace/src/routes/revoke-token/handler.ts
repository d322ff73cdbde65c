import { actorOf } from '@answer-evidence/access';
import type { TokenRevokedCore } from '@answer-evidence/contracts';
import { revokeToken } from '@answer-evidence/contracts/operations';
import { createRevokeCommand } from '@answer-evidence/ledger';
import { newCoreIdentity } from '@answer-evidence/ports';
import { authenticatedUser, defineRoute, type Route } from '@answer-evidence/routes';
import type { WorkspaceDeps } from '../../deps.ts';
import { getTokenInReach } from '../../tokens/find-token.ts';

/** `DELETE /api/tokens/{token_id}`: ends a token. Once more changes nothing: the first revocation stands. */
export function revokeTokenRoute(deps: WorkspaceDeps): Route {
  return defineRoute({
    ...revokeToken,
    async handle({ params, caller }) {
      const user = authenticatedUser(caller);
      const token = await getTokenInReach(deps.administration, user, params.token_id);
      const core: TokenRevokedCore = { ...newCoreIdentity(deps), token_id: token.id, actor: actorOf(user) };
      const command = createRevokeCommand(user.workspaceId, core);
      await deps.ledger.append(user.workspaceId, () => command);
      return { status: 204 };
    },
  });
}
