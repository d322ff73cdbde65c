import { confirmOwnNotifications } from '@answer-evidence/contracts/operations';
import { defineRoute, type Route } from '@answer-evidence/routes';
import { changeTarget } from '../../notifications/change-target.ts';
import { assertCode } from '../../notifications/confirm-address.ts';
import type { NotificationDeps } from '../../notifications/deps.ts';
import { getOwn, memberIdOf, toOwnResource } from '../../notifications/own-notifications.ts';

/** `POST /api/notifications/mine/confirm`. */
export function confirmOwnNotificationsRoute(deps: NotificationDeps): Route {
  return defineRoute({
    ...confirmOwnNotifications,
    async handle({ body, caller }) {
      const workspace = await deps.directory.get(caller.workspaceId);
      const memberId = memberIdOf(caller);
      const { row } = await getOwn(deps, workspace.id, memberId);
      assertCode(deps, workspace, row, body.code);
      await changeTarget(deps, workspace, caller, { kind: 'confirmed', targetId: row.id, isOwn: true });
      return { status: 200, body: toOwnResource(workspace, await getOwn(deps, workspace.id, memberId)) };
    },
  });
}
