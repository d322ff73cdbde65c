import * as z from 'zod';
import { uuid } from '@answer-evidence/contracts';
import { listDeadLetters } from '@answer-evidence/contracts/operations';
import { askPage, defineRoute, type Route } from '@answer-evidence/routes';
import type { WorkspaceDeps } from '../../deps.ts';
import { toDeadLetterResource } from './to-dead-letter-resource.ts';

const PLACE = z.strictObject({ failed_at: z.int().nonnegative(), id: uuid });

/** `GET /api/dead-letters`: jobs that were given up and not replayed since, last failed first. */
export function listDeadLettersRoute(deps: WorkspaceDeps): Route {
  return defineRoute({
    ...listDeadLetters,
    async handle({ query, caller }) {
      const { workspaceId } = caller;
      const { vault } = await deps.directory.get(workspaceId);
      const asked = askPage(vault, { list: 'dead letters' }, PLACE, query);
      const { after, offset, limit } = asked;
      const found = await deps.deadLetters.list(workspaceId, {
        ...(after === undefined ? {} : { after: { failedAt: after.failed_at, id: after.id } }),
        offset,
        limit,
      });
      return {
        status: 200,
        body: asked.show(found, ({ failed_at, id }) => ({ failed_at, id }), toDeadLetterResource),
      };
    },
  });
}
