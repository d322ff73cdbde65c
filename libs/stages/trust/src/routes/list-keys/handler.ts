import { logKeyList } from '@answer-evidence/contracts';
import { authenticated, defineRoute, type Route } from '@answer-evidence/routes';
import type { TrustDeps } from '../../deps.ts';
import { readLogKeyList } from '../../log-keys/read-log-key-list.ts';

/** `GET /api/trust/keys`: the keys that sign this workspace's log, with the tree sizes for which they do. */
export function listKeysRoute(deps: TrustDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/api/trust/keys',
    operationId: 'listLogKeys',
    summary: 'List the keys of the log',
    access: 'trust.read',
    responses: { 200: { description: 'The keys', schema: logKeyList } },
    async handle({ caller: sentBy }) {
      const caller = authenticated(sentBy);
      const workspace = await deps.directory.get(caller.workspaceId);
      return { status: 200, body: await readLogKeyList(deps, workspace) };
    },
  });
}
