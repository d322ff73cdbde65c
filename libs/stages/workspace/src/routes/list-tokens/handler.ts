import { tokenList } from '@answer-evidence/contracts';
import { authenticatedUser, defineRoute, type Route } from '@answer-evidence/routes';
import type { WorkspaceDeps } from '../../deps.ts';
import { isInReach } from '../../tokens/reach.ts';
import { toTokenResource } from '../../tokens/to-token-resource.ts';

/** `GET /api/tokens`: every token for a manager, their own for a member; never a secret. */
export function listTokensRoute(deps: WorkspaceDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/api/tokens',
    operationId: 'listTokens',
    summary: 'List tokens',
    access: 'tokens.own',
    responses: { 200: { description: 'The tokens that the caller may see, newest first', schema: tokenList } },
    async handle({ caller }) {
      const user = authenticatedUser(caller);
      const tokens = await deps.administration.listTokens(user.workspaceId);
      return { status: 200, body: { items: tokens.filter((token) => isInReach(user, token)).map(toTokenResource) } };
    },
  });
}
