import { actorOf } from '@answer-evidence/access';
import type { TokenRevokedCore } from '@answer-evidence/contracts';
import { logout } from '@answer-evidence/contracts/operations';
import { createRevokeCommand } from '@answer-evidence/ledger';
import { newCoreIdentity } from '@answer-evidence/ports';
import { authenticatedUser, defineRoute, type Route } from '@answer-evidence/routes';
import type { WorkspaceDeps } from '../../deps.ts';

/** `POST /api/auth/logout`: ends the token that it is sent with, everywhere within seconds. */
export function logoutRoute(deps: WorkspaceDeps): Route {
  return defineRoute({
    ...logout,
    async handle({ caller }) {
      const user = authenticatedUser(caller);
      const core: TokenRevokedCore = { ...newCoreIdentity(deps), token_id: user.tokenId, actor: actorOf(user) };
      const command = createRevokeCommand(user.workspaceId, core);
      await deps.ledger.append(user.workspaceId, () => command);
      return { status: 204 };
    },
  });
}
