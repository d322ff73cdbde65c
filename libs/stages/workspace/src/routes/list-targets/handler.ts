import { listTargets } from '@answer-evidence/contracts/operations';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { NotificationDeps } from '../../notifications/deps.ts';
import { toTargetResource } from '../../notifications/to-resources.ts';

/** `GET /api/notifications/targets`: where notifications go. */
export function listTargetsRoute(deps: NotificationDeps): Route {
  return defineRoute({
    ...listTargets,
    async handle({ caller }) {
      const workspace = await deps.directory.get(caller.workspaceId);
      const { targets } = await deps.notifications.targets(workspace.id);
      const now = deps.clock.nowMicros();
      return { status: 200, body: { items: targets.map((one) => toTargetResource(workspace, one, now)) } };
    },
  });
}
