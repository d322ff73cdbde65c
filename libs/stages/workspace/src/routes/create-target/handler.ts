import { createTarget } from '@answer-evidence/contracts/operations';
import { newId } from '@answer-evidence/ports';
import { defineRoute, type Route } from '@answer-evidence/routes';
import { assertReachable, changeTarget, getStoredTarget, newTargetKey } from '../../notifications/change-target.ts';
import type { NotificationDeps } from '../../notifications/deps.ts';
import { toTargetWithSecret } from '../../notifications/to-resources.ts';

/** `POST /api/notifications/targets`: a webhook, with the secret that it verifies deliveries by. */
export function createTargetRoute(deps: NotificationDeps): Route {
  return defineRoute({
    ...createTarget,
    async handle({ body, caller }) {
      const workspace = await deps.directory.get(caller.workspaceId);
      assertReachable(deps, body.url);
      const key = newTargetKey(deps);
      const targetId = newId(deps);
      await changeTarget(deps, workspace, caller, { kind: 'created', targetId, body, key });
      const stored = await getStoredTarget(deps, workspace.id, targetId);
      return {
        status: 201,
        headers: { Location: `/api/notifications/targets/${targetId}` },
        body: toTargetWithSecret(workspace, stored, deps.clock.nowMicros(), key),
      };
    },
  });
}
