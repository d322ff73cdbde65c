import { getToken } from '@answer-evidence/contracts/operations';
import { authenticatedUser, defineRoute, type Route } from '@answer-evidence/routes';
import type { WorkspaceDeps } from '../../deps.ts';
import { getTokenInReach } from '../../tokens/find-token.ts';
import { toTokenResource } from '../../tokens/to-token-resource.ts';

/** `GET /api/tokens/{token_id}`: a token as the list shows it; never a secret. */
export function getTokenRoute(deps: WorkspaceDeps): Route {
  return defineRoute({
    ...getToken,
    async handle({ params, caller }) {
      const token = await getTokenInReach(deps.administration, authenticatedUser(caller), params.token_id);
      return { status: 200, body: toTokenResource(token) };
    },
  });
}
