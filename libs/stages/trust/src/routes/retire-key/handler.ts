import { actorOf } from '@answer-evidence/access';
import { retireLogKey } from '@answer-evidence/contracts/operations';
import { guardCommand } from '@answer-evidence/ledger';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { TrustDeps } from '../../deps.ts';
import { prepareChange, prepareKeyRetirement } from '../../log-keys/change-log-keys.ts';
import { readLogKeyList } from '../../log-keys/read-log-key-list.ts';

/** `POST /api/trust/keys/retire`: a live key signs no more from here on. */
export function retireKeyRoute(deps: TrustDeps): Route {
  return defineRoute({
    ...retireLogKey,
    async handle({ caller, body: { vkey } }) {
      const workspace = await deps.directory.get(caller.workspaceId);
      await deps.ledger.append(workspace.id, async () => {
        const change = await prepareChange(deps, workspace, actorOf(caller));
        const command = prepareKeyRetirement(change, await deps.logs.signer(workspace.id), vkey);
        return guardCommand(command, change.actor, 'trust.manage');
      });
      return { status: 200, body: await readLogKeyList(deps, workspace) };
    },
  });
}
