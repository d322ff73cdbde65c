import { rotateTarget } from '@answer-evidence/contracts/operations';
import { defineRoute, type Route } from '@answer-evidence/routes';
import { changeTarget, getStoredTarget, newTargetKey } from '../../notifications/change-target.ts';
import type { NotificationDeps } from '../../notifications/deps.ts';
import { toTargetWithSecret } from '../../notifications/to-resources.ts';

/** `POST /api/notifications/targets/{target_id}/rotate`: for a time, both secrets sign. */
export function rotateTargetRoute(deps: NotificationDeps): Route {
  return defineRoute({
    ...rotateTarget,
    async handle({ params, body, caller }) {
      const workspace = await deps.directory.get(caller.workspaceId);
      const key = newTargetKey(deps);
      const targetId = params.target_id;
      const overlapSeconds = body.overlap_seconds;
      await changeTarget(deps, workspace, caller, { kind: 'secret_rotated', targetId, key, overlapSeconds });
      const stored = await getStoredTarget(deps, workspace.id, targetId);
      return { status: 201, body: toTargetWithSecret(workspace, stored, deps.clock.nowMicros(), key) };
    },
  });
}
