import { actorOf } from '@answer-evidence/access';
import { releaseHold } from '@answer-evidence/contracts/operations';
import { ownActCommand } from '@answer-evidence/ledger';
import { newCoreIdentity } from '@answer-evidence/ports';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { IngestDeps } from '../../deps.ts';
import { getStoredHold } from '../../holds/get-stored-hold.ts';
import { prepareRelease } from '../../holds/prepare-hold.ts';
import { toHoldResource } from '../../holds/to-hold-resource.ts';

/** `POST /api/holds/{hold_id}/release`: what the hold covered expires and is redacted again as if it had never been. */
export function releaseHoldRoute(deps: IngestDeps): Route {
  return defineRoute({
    ...releaseHold,
    async handle({ params, body, caller }) {
      const workspace = await deps.directory.get(caller.workspaceId);
      const { row } = await getStoredHold(deps, workspace.id, params.hold_id);
      const actor = actorOf(caller);
      await deps.ledger.append(workspace.id, async (settings) =>
        ownActCommand(await prepareRelease(deps, workspace.id, row.id, body, actor), {
          act: 'hold_release',
          workspaceId: workspace.id,
          settings,
          requester: actor,
          identity: newCoreIdentity(deps),
        }),
      );
      const stored = await getStoredHold(deps, workspace.id, row.id);
      return { status: 200, body: await toHoldResource(deps, workspace, stored) };
    },
  });
}
