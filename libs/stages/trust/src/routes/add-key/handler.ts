import { actorOf } from '@answer-evidence/access';
import { addLogKey } from '@answer-evidence/contracts/operations';
import { guardCommand } from '@answer-evidence/ledger';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { TrustDeps } from '../../deps.ts';
import { keyMaker, prepareChange, prepareKeyAddition } from '../../log-keys/change-log-keys.ts';
import { listLogKeys } from '../../log-keys/to-log-key-resources.ts';

/** `POST /api/trust/keys`: a further key, which signs beside the present one from here on. */
export function addKeyRoute(deps: TrustDeps): Route {
  return defineRoute({
    ...addLogKey,
    async handle({ caller, body: { algorithm = 'ed25519' } }) {
      const workspace = await deps.directory.get(caller.workspaceId);
      const createKey = keyMaker(workspace, algorithm);
      await deps.ledger.append(workspace.id, async () => {
        const change = await prepareChange(deps, workspace, actorOf(caller));
        const signer = await deps.logs.signer(workspace.id);
        return guardCommand(
          await prepareKeyAddition(change, signer, algorithm, createKey),
          change.actor,
          'trust.manage',
        );
      });
      const keys = listLogKeys(await deps.logs.signer(workspace.id));
      return { status: 201, body: keys.findLast((key) => key.algorithm === algorithm) };
    },
  });
}
