import { epochCore, type LogKeyList, logKeyList, ServiceError } from '@answer-evidence/contracts';
import { parseJsonText } from '@answer-evidence/encoding';
import { defineRoute, type Route } from '@answer-evidence/ports';
import type { TrustParts } from '../../parts.ts';

/** `GET /api/trust/keys`: the keys that sign this workspace's log, with the tree sizes for which they do. */
export function listKeysRoute(parts: TrustParts): Route {
  return defineRoute({
    method: 'GET',
    path: '/api/trust/keys',
    operationId: 'listLogKeys',
    summary: 'Keys of the log',
    access: 'trust.read',
    responses: { 200: { description: 'The keys', schema: logKeyList } },
    async handle({ caller }) {
      if (caller === null) throw new ServiceError('unauthenticated', 'a token is needed');
      const { id, origin, vkey } = await parts.directory.get(caller.workspaceId);
      const epochs = await parts.logs.workspaceEntries(id, 'epoch_opened');
      const body: LogKeyList = {
        origin,
        items: [{ vkey, purpose: 'checkpoint', state: 'active', first_tree_size: 0, last_tree_size: null }],
        earlier: epochs.map((row) => {
          const { continued } = epochCore.parse(parseJsonText(row.core_json));
          return {
            origin: continued.origin,
            keys: [{ vkey: continued.vkey, first_tree_size: 0, last_tree_size: null }],
          };
        }),
      };
      return { status: 200, body };
    },
  });
}
