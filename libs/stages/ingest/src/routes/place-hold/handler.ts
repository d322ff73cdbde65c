import { actorOf } from '@answer-evidence/access';
import { placeHold } from '@answer-evidence/contracts/operations';
import { ownActCommand } from '@answer-evidence/ledger';
import { newCoreIdentity } from '@answer-evidence/ports';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { IngestDeps } from '../../deps.ts';
import { getStoredHold } from '../../holds/get-stored-hold.ts';
import { prepareHold, readPlacement } from '../../holds/prepare-hold.ts';
import { toHoldResource } from '../../holds/to-hold-resource.ts';

/** `POST /api/holds`: records on hold for a matter, those that come later too. */
export function placeHoldRoute(deps: IngestDeps): Route {
  return defineRoute({
    ...placeHold,
    async handle({ body, caller }) {
      const workspace = await deps.directory.get(caller.workspaceId);
      const placement = await readPlacement(deps, workspace.id, body);
      const actor = actorOf(caller);
      const outcome = await deps.ledger.append(workspace.id, async (settings) =>
        ownActCommand(await prepareHold(deps, workspace.id, placement, actor), {
          act: 'hold_placing',
          workspaceId: workspace.id,
          settings,
          requester: actor,
          identity: newCoreIdentity(deps),
        }),
      );
      const id = outcome.kind === 'appended' ? outcome.entries[0].id : outcome.objectId;
      return {
        status: 201,
        headers: { Location: `/api/holds/${id}` },
        body: await toHoldResource(deps, workspace, await getStoredHold(deps, workspace.id, id)),
      };
    },
  });
}
