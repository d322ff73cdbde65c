import { actorOf } from '@answer-evidence/access';
import { addLogKey } from '@answer-evidence/contracts/operations';
import { guardCommand } from '@answer-evidence/ledger';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { TrustDeps } from '../../deps.ts';
import { keyMaker, prepareKeyAddition } from '../../log-keys/change-log-keys.ts';
import { listLogKeys } from '../../log-keys/to-log-key-resources.ts';

/** `POST /api/trust/keys`: a further key, which signs beside the present one from here on. */
export function addKeyRoute(deps: TrustDeps): Route {
  return defineRoute({
    ...addLogKey,
    async handle({ caller }) {
      const workspace = await deps.directory.get(caller.workspaceId);
      const change = { source: deps, workspace, actor: actorOf(caller) };
      const createKey = keyMaker(workspace);
      await deps.ledger.append(workspace.id, async () => {
        const command = await prepareKeyAddition(change, await deps.logs.signer(workspace.id), createKey);
        return guardCommand(command, change.actor, 'trust.manage');
      });
      return { status: 201, body: listLogKeys(await deps.logs.signer(workspace.id)).at(-1) };
    },
  });
}
