import { listViews } from '@answer-evidence/contracts/operations';
import { authenticatedUser, defineRoute, type Route } from '@answer-evidence/routes';
import type { IngestDeps } from '../../deps.ts';
import { toViewResource } from '../../resources/to-view-resource.ts';

/** `GET /api/search/views`: the lists under a name that the workspace shares. */
export function listViewsRoute(deps: IngestDeps): Route {
  return defineRoute({
    ...listViews,
    async handle({ caller }) {
      const views = await deps.savedViews.list(authenticatedUser(caller).workspaceId);
      return { status: 200, body: { items: views.map(toViewResource) } };
    },
  });
}
