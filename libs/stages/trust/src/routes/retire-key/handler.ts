import { actorOf } from '@answer-evidence/access';
import { logKeyList, retireLogKeyRequest } from '@answer-evidence/contracts';
import { authenticated, defineRoute, type Route } from '@answer-evidence/routes';
import type { TrustDeps } from '../../deps.ts';
import { prepareKeyRetirement } from '../../log-keys/change-log-keys.ts';
import { readLogKeyList } from '../../log-keys/read-log-key-list.ts';

/** `POST /api/trust/keys/retire`: a live key signs no more from here on. */
export function retireKeyRoute(deps: TrustDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/api/trust/keys/retire',
    operationId: 'retireLogKey',
    summary: 'Retire a key of the log',
    access: 'trust.manage',
    body: retireLogKeyRequest,
    responses: {
      200: { description: 'The keys of the log', schema: logKeyList },
      404: { description: 'The log has no such key' },
      409: { description: 'It is the only signing key, or is already retired' },
    },
    async handle({ caller, body: { vkey } }) {
      const manager = authenticated(caller);
      const workspace = await deps.directory.get(manager.workspaceId);
      const change = { source: deps, workspace, actor: actorOf(manager) };
      await deps.ledger.append(workspace.id, async () =>
        prepareKeyRetirement(change, await deps.logs.signer(workspace.id), vkey),
      );
      return { status: 200, body: await readLogKeyList(deps, workspace) };
    },
  });
}
