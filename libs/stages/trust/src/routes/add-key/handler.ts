import { actorOf } from '@answer-evidence/access';
import { emptyRequest, logKeyItem } from '@answer-evidence/contracts';
import { authenticated, defineRoute, type Route } from '@answer-evidence/routes';
import type { TrustDeps } from '../../deps.ts';
import { prepareKeyAddition } from '../../log-keys/change-log-keys.ts';
import { listLogKeys } from '../../log-keys/to-log-key-resources.ts';

/** `POST /api/trust/keys`: a further key, which signs beside the present one from here on. */
export function addKeyRoute(deps: TrustDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/api/trust/keys',
    operationId: 'addLogKey',
    summary: 'Add a key to the log',
    access: 'trust.manage',
    body: emptyRequest,
    bodyOptional: true,
    responses: {
      201: { description: 'The key; it also signs every checkpoint from now on', schema: logKeyItem },
      409: { description: 'Two keys already sign' },
    },
    async handle({ caller }) {
      const manager = authenticated(caller);
      const workspace = await deps.directory.get(manager.workspaceId);
      const change = { source: deps, workspace, actor: actorOf(manager) };
      await deps.ledger.append(workspace.id, async () =>
        prepareKeyAddition(change, await deps.logs.signer(workspace.id)),
      );
      return { status: 201, body: listLogKeys(await deps.logs.signer(workspace.id)).at(-1) };
    },
  });
}
