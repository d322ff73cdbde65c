import { getTarget } from '@answer-evidence/contracts/operations';
import { defineRoute, type Route } from '@answer-evidence/routes';
import { getStoredTarget } from '../../notifications/change-target.ts';
import type { NotificationDeps } from '../../notifications/deps.ts';
import { toTargetResource } from '../../notifications/to-resources.ts';

/** `GET /api/notifications/targets/{target_id}`: one target, without its secret. */
export function getTargetRoute(deps: NotificationDeps): Route {
  return defineRoute({
    ...getTarget,
    async handle({ params, caller }) {
      const workspace = await deps.directory.get(caller.workspaceId);
      const stored = await getStoredTarget(deps, workspace.id, params.target_id);
      return { status: 200, body: toTargetResource(workspace, stored, deps.clock.nowMicros()) };
    },
  });
}
