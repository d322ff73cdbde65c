import { actorOf } from '@answer-evidence/access';
import { NOTIFICATION_TARGETS_MAX, ServiceError } from '@answer-evidence/contracts';
import { createMailTarget } from '@answer-evidence/contracts/operations';
import { MICROS_PER_DAY } from '@answer-evidence/encoding';
import { newId } from '@answer-evidence/ports';
import { defineRoute, type Route } from '@answer-evidence/routes';
import { refusedAddress, sendNewCode } from '../../notifications/confirm-address.ts';
import type { NotificationDeps } from '../../notifications/deps.ts';
import { toTargetResource } from '../../notifications/to-resources.ts';

/** `POST /api/notifications/mail-targets`: sends a code there, and nothing else before somebody enters it. */
export function createMailTargetRoute(deps: NotificationDeps): Route {
  return defineRoute({
    ...createMailTarget,
    async handle({ body, caller }) {
      const { notifications, clock } = deps;
      if (actorOf(caller).kind !== 'user') throw refusedAddress('must be added by a member');
      const workspace = await deps.directory.get(caller.workspaceId);
      // So many codes a day, whatever was removed since: nobody writes to strangers by this service.
      const since = clock.nowMicros() - MICROS_PER_DAY;
      if ((await notifications.mailTargetsSince(workspace.id, null, since)) >= NOTIFICATION_TARGETS_MAX)
        throw new ServiceError(
          'limit_reached',
          `at most ${NOTIFICATION_TARGETS_MAX} codes are sent for a workspace within a day; try again tomorrow`,
        );
      const stored = await sendNewCode(deps, workspace, caller, { targetId: newId(deps), body });
      return {
        status: 201,
        headers: { Location: `/api/notifications/targets/${stored.row.id}` },
        body: toTargetResource(workspace, stored, clock.nowMicros()),
      };
    },
  });
}
