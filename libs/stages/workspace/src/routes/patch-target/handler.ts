import { patchTarget } from '@answer-evidence/contracts/operations';
import { defineRoute, type Route } from '@answer-evidence/routes';
import { assertReachable, changeTarget, getStoredTarget } from '../../notifications/change-target.ts';
import type { NotificationDeps } from '../../notifications/deps.ts';
import { changedMembers } from '../../notifications/prepare-target-change.ts';
import { toTargetResource } from '../../notifications/to-resources.ts';

/** `PATCH /api/notifications/targets/{target_id}`: what changes nothing appends nothing. */
export function patchTargetRoute(deps: NotificationDeps): Route {
  return defineRoute({
    ...patchTarget,
    async handle({ params, body, caller }) {
      const workspace = await deps.directory.get(caller.workspaceId);
      assertReachable(deps, body.url);
      const targetId = params.target_id;
      let stored = await getStoredTarget(deps, workspace.id, targetId);
      if (changedMembers(workspace, stored, body).length > 0) {
        await changeTarget(deps, workspace, caller, { kind: 'changed', targetId, body });
        stored = await getStoredTarget(deps, workspace.id, targetId);
      }
      return { status: 200, body: toTargetResource(workspace, stored, deps.clock.nowMicros()) };
    },
  });
}
