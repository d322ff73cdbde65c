import * as z from 'zod';
import { actorOf } from '@answer-evidence/access';
import { anyUuid, rotateTokenRequest } from '@answer-evidence/contracts';
import { authenticatedUser, defineRoute, type Route } from '@answer-evidence/routes';
import type { WorkspaceDeps } from '../../deps.ts';
import { getTokenInReach } from '../../tokens/find-token.ts';
import { ISSUED_TOKEN, replyWithToken } from '../../tokens/reply-with-token.ts';
import { assertMayRotate, rotateToken } from '../../tokens/rotate-token.ts';

/**
 * `POST /api/tokens/{token_id}/rotate`: exchanges a token for a new one with the same name, rights and life, shown this
 * once. The old one ends at once, or after the overlap that the body asks for. Of two rotations one wins: the other
 * gets 409.
 */
export function rotateTokenRoute(deps: WorkspaceDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/api/tokens/{token_id}/rotate',
    operationId: 'rotateToken',
    summary: 'Exchange a token for a new one',
    access: 'tokens.own',
    params: z.strictObject({ token_id: anyUuid }),
    body: rotateTokenRequest,
    bodyOptional: true,
    responses: {
      201: ISSUED_TOKEN,
      404: { description: 'No such token' },
      409: { description: 'The token is revoked, rotated or expired' },
    },
    async handle({ params, body, caller }) {
      const user = authenticatedUser(caller);
      const old = await getTokenInReach(deps.administration, user, params.token_id);
      assertMayRotate(user, old);
      return replyWithToken(await rotateToken(deps, user.workspaceId, old, body.overlap_seconds, actorOf(user)));
    },
  });
}
