import { isAllowed } from '@answer-evidence/access';
import { ServiceError } from '@answer-evidence/contracts';
import { removeView } from '@answer-evidence/contracts/operations';
import { assertStillAllowed, authenticatedUser, defineRoute, mayAsk, type Route } from '@answer-evidence/routes';
import type { IngestDeps } from '../../deps.ts';

/** `DELETE /api/search/views/{view_id}`: by the member who saved it, or a manager. */
export function removeViewRoute(deps: IngestDeps): Route {
  return defineRoute({
    ...removeView,
    async handle({ params, caller: sentBy }) {
      const user = authenticatedUser(sentBy);
      const { workspaceId, userId } = user;
      const views = await deps.savedViews.list(workspaceId);
      const view = views.find(({ id, filters }) => id === params.view_id && mayAsk(filters, user));
      if (view === undefined) throw new ServiceError('not_found', 'no such view exists in this workspace; list them');
      if (view.createdBy !== userId && !isAllowed(user, 'views.manage'))
        throw new ServiceError(
          'role_not_allowed',
          'only the member who saved the view, or a manager, may remove it; ask one of them',
        );
      await assertStillAllowed(deps, user, view.createdBy === userId ? 'views.change' : 'members.change');
      await deps.savedViews.remove(workspaceId, view.id);
      return { status: 204 };
    },
  });
}
