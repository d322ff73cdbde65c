import { ServiceError, VIEWS_MAX } from '@answer-evidence/contracts';
import { createView } from '@answer-evidence/contracts/operations';
import { newId } from '@answer-evidence/ports';
import {
  assertStillAllowed,
  authenticatedUser,
  defineRoute,
  narrowed,
  readWindow,
  type Route,
} from '@answer-evidence/routes';
import type { IngestDeps } from '../../deps.ts';
import { toViewResource } from '../../resources/to-view-resource.ts';

/** `POST /api/search/views`: a list of records under a name that everybody in the workspace sees. */
export function createViewRoute(deps: IngestDeps): Route {
  return defineRoute({
    ...createView,
    async handle({ body, caller }) {
      const user = authenticatedUser(caller);
      const { workspaceId, userId } = user;
      narrowed(body.filters, user);
      const view = {
        id: newId(deps),
        name: body.name,
        filters: readWindow(readWindow(body.filters), 'answered'),
        createdBy: userId,
        createdAt: deps.clock.nowMicros(),
      };
      await assertStillAllowed(deps, user, 'views.change');
      switch (await deps.savedViews.add(workspaceId, view, VIEWS_MAX)) {
        case 'added':
          return { status: 201, body: toViewResource(view) };
        case 'name_taken':
          throw new ServiceError('name_taken', 'a view of this name exists; remove it first, or choose another name');
        case 'limit_reached':
          throw new ServiceError('limit_reached', `a workspace has at most ${VIEWS_MAX} views; remove one first`);
      }
    },
  });
}
