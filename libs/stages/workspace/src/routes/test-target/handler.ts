import { testTarget } from '@answer-evidence/contracts/operations';
import { defineRoute, type Route } from '@answer-evidence/routes';
import { getStoredTarget } from '../../notifications/change-target.ts';
import type { NotificationDeps } from '../../notifications/deps.ts';
import { noTarget } from '../../notifications/prepare-target-change.ts';
import { testNotification } from '../../notifications/target-notifications.ts';
import { toDeliveryResource } from '../../notifications/to-resources.ts';

/** `POST /api/notifications/targets/{target_id}/test`: it goes the way of every other notification. */
export function testTargetRoute(deps: NotificationDeps): Route {
  return defineRoute({
    ...testTarget,
    async handle({ params, caller }) {
      const workspace = await deps.directory.get(caller.workspaceId);
      const { row } = await getStoredTarget(deps, workspace.id, params.target_id);
      const told = await deps.notifications.tell(workspace.id, row.id, testNotification(row, deps.clock.nowMicros()));
      if (told === undefined) throw noTarget();
      return { status: 202, body: toDeliveryResource(workspace, told) };
    },
  });
}
