import { actorOf } from '@answer-evidence/access';
import { rotateToken as operation } from '@answer-evidence/contracts/operations';
import { authenticatedUser, defineRoute, type Route } from '@answer-evidence/routes';
import type { WorkspaceDeps } from '../../deps.ts';
import { getTokenInReach } from '../../tokens/find-token.ts';
import { replyWithToken } from '../../tokens/reply-with-token.ts';
import { assertMayRotate, rotateToken } from '../../tokens/rotate-token.ts';

/**
 * `POST /api/tokens/{token_id}/rotate`: exchanges a token for a new one with the same name, rights and life, shown this
 * once. The old one ends at once, or after the overlap that the body asks for. Of two rotations one wins: the other
 * gets 409.
 */
export function rotateTokenRoute(deps: WorkspaceDeps): Route {
  return defineRoute({
    ...operation,
    async handle({ params, body, caller }) {
      const user = authenticatedUser(caller);
      const old = await getTokenInReach(deps.administration, user, params.token_id);
      assertMayRotate(user, old);
      return replyWithToken(await rotateToken(deps, user.workspaceId, old, body.overlap_seconds, actorOf(user)));
    },
  });
}
