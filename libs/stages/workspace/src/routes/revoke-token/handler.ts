import { actorOf, type UserCaller } from '@answer-evidence/access';
import type { TokenRevokedCore } from '@answer-evidence/contracts';
import { revokeToken } from '@answer-evidence/contracts/operations';
import { type AppendCommand, createRevokeCommand, guardCommand } from '@answer-evidence/ledger';
import { newCoreIdentity } from '@answer-evidence/ports';
import { authenticatedUser, defineRoute, type Route } from '@answer-evidence/routes';
import type { TokenRow } from '@answer-evidence/tables';
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
      await deps.ledger.append(user.workspaceId, () => guarded(command, user, token));
      return { status: 204 };
    },
  });
}

/** Everybody ends their own tokens, whatever their role has become. */
function guarded(command: AppendCommand, user: UserCaller, token: TokenRow): AppendCommand {
  const { user_id: userId, application_key: application } = token;
  if (userId === user.userId) return command;
  return application === null
    ? guardCommand(command, actorOf(user), 'members.change')
    : guardCommand(command, actorOf(user), 'tokens.applications', { application_key: application });
}
