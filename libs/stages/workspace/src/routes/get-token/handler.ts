import * as z from 'zod';
import { anyUuid, tokenSummary } from '@answer-evidence/contracts';
import { authenticatedUser, defineRoute, type Route } from '@answer-evidence/routes';
import type { WorkspaceDeps } from '../../deps.ts';
import { getTokenInReach } from '../../tokens/find-token.ts';
import { toTokenResource } from '../../tokens/to-token-resource.ts';

/** `GET /api/tokens/{token_id}`: a token as the list shows it; never a secret. */
export function getTokenRoute(deps: WorkspaceDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/api/tokens/{token_id}',
    operationId: 'getToken',
    summary: 'Read a token',
    access: 'tokens.own',
    params: z.strictObject({ token_id: anyUuid }),
    responses: {
      200: { description: 'The token, without its secret', schema: tokenSummary },
      404: { description: 'No such token' },
    },
    async handle({ params, caller }) {
      const token = await getTokenInReach(deps.administration, authenticatedUser(caller), params.token_id);
      return { status: 200, body: toTokenResource(token) };
    },
  });
}
