import { listLogKeys } from '@answer-evidence/contracts/operations';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { TrustDeps } from '../../deps.ts';
import { readLogKeyList } from '../../log-keys/read-log-key-list.ts';

/** `GET /api/trust/keys`: the keys that sign this workspace's log, with the tree sizes for which they do. */
export function listKeysRoute(deps: TrustDeps): Route {
  return defineRoute({
    ...listLogKeys,
    async handle({ caller }) {
      const workspace = await deps.directory.get(caller.workspaceId);
      return { status: 200, body: await readLogKeyList(deps, workspace) };
    },
  });
}
