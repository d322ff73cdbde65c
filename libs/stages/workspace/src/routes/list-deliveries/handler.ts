import * as z from 'zod';
import { listDeliveries } from '@answer-evidence/contracts/operations';
import { askPage, defineRoute, type Route } from '@answer-evidence/routes';
import { getStoredTarget } from '../../notifications/change-target.ts';
import type { NotificationDeps } from '../../notifications/deps.ts';
import { toDeliveryResource } from '../../notifications/to-resources.ts';

/** `GET /api/notifications/targets/{target_id}/deliveries`: newest first. */
export function listDeliveriesRoute(deps: NotificationDeps): Route {
  return defineRoute({
    ...listDeliveries,
    async handle({ params, query, caller }) {
      const workspace = await deps.directory.get(caller.workspaceId);
      const { row } = await getStoredTarget(deps, workspace.id, params.target_id);
      const list = { list: 'deliveries', target: row.id, state: query.state ?? null };
      const asked = askPage(workspace.vault, list, z.int().nonnegative(), query);
      const { after, offset, limit } = asked;
      const page = { state: query.state, before: after, offset, limit };
      const found = await deps.notifications.deliveries(workspace.id, row.id, page);
      return {
        status: 200,
        body: asked.show(
          found,
          ({ delivery }) => delivery.position,
          (one) => toDeliveryResource(workspace, one),
        ),
      };
    },
  });
}
