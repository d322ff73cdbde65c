import { getHold } from '@answer-evidence/contracts/operations';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { IngestDeps } from '../../deps.ts';
import { getStoredHold } from '../../holds/get-stored-hold.ts';
import { toHoldResource } from '../../holds/to-hold-resource.ts';

/** `GET /api/holds/{hold_id}`: one hold, in force or released. */
export function getHoldRoute(deps: IngestDeps): Route {
  return defineRoute({
    ...getHold,
    async handle({ params, caller }) {
      const workspace = await deps.directory.get(caller.workspaceId);
      const stored = await getStoredHold(deps, workspace.id, params.hold_id);
      return { status: 200, body: await toHoldResource(deps, workspace, stored) };
    },
  });
}
