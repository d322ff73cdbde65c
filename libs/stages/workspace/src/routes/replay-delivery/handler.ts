import { ServiceError } from '@answer-evidence/contracts';
import { replayDelivery } from '@answer-evidence/contracts/operations';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { NotificationDeps } from '../../notifications/deps.ts';
import { toDeliveryResource } from '../../notifications/to-resources.ts';

/** `POST /api/notifications/targets/{target_id}/deliveries/{notification_id}/replay`: under the same id. */
export function replayDeliveryRoute(deps: NotificationDeps): Route {
  return defineRoute({
    ...replayDelivery,
    async handle({ params, caller }) {
      const workspace = await deps.directory.get(caller.workspaceId);
      const found = await deps.notifications.replay(workspace.id, params.target_id, params.notification_id);
      if (found === undefined)
        throw new ServiceError('not_found', 'no such delivery exists in this workspace; check both ids');
      return { status: 202, body: toDeliveryResource(workspace, found) };
    },
  });
}
