import { removeOwnNotifications } from '@answer-evidence/contracts/operations';
import { defineRoute, type Route } from '@answer-evidence/routes';
import { changeTarget } from '../../notifications/change-target.ts';
import type { NotificationDeps } from '../../notifications/deps.ts';
import { getOwn, memberIdOf } from '../../notifications/own-notifications.ts';

/** `DELETE /api/notifications/mine`: the address goes with it. */
export function removeOwnNotificationsRoute(deps: NotificationDeps): Route {
  return defineRoute({
    ...removeOwnNotifications,
    async handle({ caller }) {
      const workspace = await deps.directory.get(caller.workspaceId);
      const { row } = await getOwn(deps, workspace.id, memberIdOf(caller));
      await changeTarget(deps, workspace, caller, { kind: 'removed', targetId: row.id, isOwn: true });
      await deps.notifications.clear(workspace.id, row.id);
      return { status: 204 };
    },
  });
}
