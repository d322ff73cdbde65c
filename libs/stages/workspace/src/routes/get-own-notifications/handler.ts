import { typesFor } from '@answer-evidence/access';
import { getOwnNotifications } from '@answer-evidence/contracts/operations';
import { accessOf } from '@answer-evidence/ledger';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { NotificationDeps } from '../../notifications/deps.ts';
import { findOwn, getMember, memberIdOf, toOwnResource } from '../../notifications/own-notifications.ts';

/** `GET /api/notifications/mine`. */
export function getOwnNotificationsRoute(deps: NotificationDeps): Route {
  return defineRoute({
    ...getOwnNotifications,
    async handle({ caller }) {
      const workspace = await deps.directory.get(caller.workspaceId);
      const memberId = memberIdOf(caller);
      const [member, own] = await Promise.all([
        getMember(deps, workspace.id, memberId),
        findOwn(deps, workspace.id, memberId),
      ]);
      return {
        status: 200,
        body: {
          items: own === undefined ? [] : [toOwnResource(workspace, own)],
          event_types: [...typesFor(accessOf(member.row))],
        },
      };
    },
  });
}
