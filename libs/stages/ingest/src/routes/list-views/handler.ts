import { listViews } from '@answer-evidence/contracts/operations';
import { authenticatedUser, defineRoute, mayAsk, type Route } from '@answer-evidence/routes';
import type { IngestDeps } from '../../deps.ts';
import { toViewResource } from '../../resources/to-view-resource.ts';

/** `GET /api/search/views`: the shared lists under a name whose filters are within what the caller may ask. */
export function listViewsRoute(deps: IngestDeps): Route {
  return defineRoute({
    ...listViews,
    async handle({ caller }) {
      const user = authenticatedUser(caller);
      const views = await deps.savedViews.list(user.workspaceId);
      const items = views.filter(({ filters }) => mayAsk(filters, user)).map(toViewResource);
      return { status: 200, body: { items } };
    },
  });
}
