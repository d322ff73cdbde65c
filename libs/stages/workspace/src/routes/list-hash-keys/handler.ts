import type { HashKey } from '@answer-evidence/contracts';
import { listHashKeys } from '@answer-evidence/contracts/operations';
import { formatTimestamp } from '@answer-evidence/encoding';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { WorkspaceDeps } from '../../deps.ts';

/** `GET /api/tenant/hash-keys`: every hash key, never its bytes. */
export function listHashKeysRoute(deps: WorkspaceDeps): Route {
  return defineRoute({
    ...listHashKeys,
    async handle({ caller }) {
      const { workspaceId } = caller;
      // The settings first: the key that they name is then among the keys read after it.
      const { values } = await deps.readFreshSettings(workspaceId);
      const keys = await deps.administration.hashKeys(workspaceId);
      const items = keys.map((key): HashKey => ({
        id: key.id,
        active: key.id === values.answer_audit_hash_key_id,
        created_at: formatTimestamp(key.created_at),
      }));
      return { status: 200, body: { items } };
    },
  });
}
