import { actorOf } from '@answer-evidence/access';
import { ServiceError, type TokenRevokedCore, uuid } from '@answer-evidence/contracts';
import { createRevokeCommand } from '@answer-evidence/ledger';
import { defineRoute, newCoreIdentity, type Route } from '@answer-evidence/ports';
import { z } from 'zod';
import { authenticatedUser } from '../../authenticated.ts';
import type { WorkspaceParts } from '../../parts.ts';
import { isInReach } from '../../tokens/reach.ts';

/** `DELETE /api/tokens/{token_id}`: ends a token. Once more changes nothing: the first revocation stands. */
export function revokeTokenRoute(parts: WorkspaceParts): Route {
  return defineRoute({
    method: 'DELETE',
    path: '/api/tokens/{token_id}',
    operationId: 'revokeToken',
    summary: 'Revoke a token',
    access: 'tokens.own',
    params: z.strictObject({ token_id: uuid }),
    responses: { 204: { description: 'The token is revoked' }, 404: { description: 'No such token' } },
    async handle({ params, caller }) {
      const user = authenticatedUser(caller);
      const tokens = await parts.administration.listTokens(user.workspaceId);
      const token = tokens.find(({ id }) => id === params.token_id);
      // Another's token and none at all look the same to a member.
      if (token === undefined || !isInReach(user, token)) throw new ServiceError('not_found', 'no such token');
      const core: TokenRevokedCore = { ...newCoreIdentity(parts), token_id: token.id, actor: actorOf(user) };
      const command = createRevokeCommand(user.workspaceId, core);
      await parts.ledger.append(user.workspaceId, () => command);
      return { status: 204 };
    },
  });
}
