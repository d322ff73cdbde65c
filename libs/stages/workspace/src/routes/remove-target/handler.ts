import { removeTarget } from '@answer-evidence/contracts/operations';
import { defineRoute, type Route } from '@answer-evidence/routes';
import { changeTarget } from '../../notifications/change-target.ts';
import type { NotificationDeps } from '../../notifications/deps.ts';

/** `DELETE /api/notifications/targets/{target_id}`: its address and its secrets go with it. */
export function removeTargetRoute(deps: NotificationDeps): Route {
  return defineRoute({
    ...removeTarget,
    async handle({ params, caller }) {
      const workspace = await deps.directory.get(caller.workspaceId);
      await changeTarget(deps, workspace, caller, { kind: 'removed', targetId: params.target_id });
      await deps.notifications.clear(workspace.id, params.target_id);
      return { status: 204 };
    },
  });
}
