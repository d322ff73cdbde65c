import * as z from 'zod';
import { uuid } from '@answer-evidence/contracts';
import { listTokens } from '@answer-evidence/contracts/operations';
import { askPage, authenticatedUser, defineRoute, type Route } from '@answer-evidence/routes';
import type { WorkspaceDeps } from '../../deps.ts';
import { reachOf } from '../../tokens/reach.ts';
import { toTokenResource } from '../../tokens/to-token-resource.ts';

const PLACE = z.strictObject({ created_at: z.int().nonnegative(), id: uuid });

/** `GET /api/tokens`: every token for a manager, those in their reach for others; never a secret. */
export function listTokensRoute(deps: WorkspaceDeps): Route {
  return defineRoute({
    ...listTokens,
    async handle({ query: { status, ...query }, caller }) {
      const user = authenticatedUser(caller);
      const { vault } = await deps.directory.get(user.workspaceId);
      const reach = reachOf(user);
      const list = { list: 'tokens', status: status ?? null, user_id: reach?.userId ?? null };
      const asked = askPage(vault, list, PLACE, query);
      const { after, offset, limit } = asked;
      const found = await deps.administration.listTokens(
        user.workspaceId,
        { reach, status: status && { is: status, at: deps.clock.nowMicros() } },
        {
          ...(after === undefined ? {} : { after: { createdAt: after.created_at, id: after.id } }),
          offset,
          limit,
        },
      );
      return { status: 200, body: asked.show(found, ({ created_at, id }) => ({ created_at, id }), toTokenResource) };
    },
  });
}
