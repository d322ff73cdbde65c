import { confirmTarget } from '@answer-evidence/contracts/operations';
import { defineRoute, type Route } from '@answer-evidence/routes';
import { changeTarget, getStoredTarget } from '../../notifications/change-target.ts';
import { assertCode } from '../../notifications/confirm-address.ts';
import type { NotificationDeps } from '../../notifications/deps.ts';
import { toTargetResource } from '../../notifications/to-resources.ts';

/** `POST /api/notifications/targets/{target_id}/confirm`: mails go there from now on. */
export function confirmTargetRoute(deps: NotificationDeps): Route {
  return defineRoute({
    ...confirmTarget,
    async handle({ params, body, caller }) {
      const workspace = await deps.directory.get(caller.workspaceId);
      const targetId = params.target_id;
      const { row } = await getStoredTarget(deps, workspace.id, targetId);
      assertCode(deps, workspace, row, body.code);
      await changeTarget(deps, workspace, caller, { kind: 'confirmed', targetId });
      const stored = await getStoredTarget(deps, workspace.id, targetId);
      return { status: 200, body: toTargetResource(workspace, stored, deps.clock.nowMicros()) };
    },
  });
}
