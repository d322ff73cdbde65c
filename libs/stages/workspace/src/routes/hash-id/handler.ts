import { hashNamedId } from '@answer-evidence/commitments';
import { hashId } from '@answer-evidence/contracts/operations';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { WorkspaceDeps } from '../../deps.ts';

/** `POST /api/tenant/id-hashes`: what records name a person or a session by. Nothing of it is kept. */
export function hashIdRoute(deps: WorkspaceDeps): Route {
  return defineRoute({
    ...hashId,
    async handle({ caller, body: { kind, id } }) {
      const { workspaceId } = caller;
      const { vault } = await deps.directory.get(workspaceId);
      // The settings first: the key that they name is then among the keys read after it.
      const { values } = await deps.readFreshSettings(workspaceId);
      const keys = await deps.administration.hashKeys(workspaceId);
      const items = keys.map((key) => ({
        hash_key_id: key.id,
        active: key.id === values.answer_audit_hash_key_id,
        hash: hashNamedId(vault.openHashKey(key.id, key.wrapped_key), kind, id),
      }));
      return { status: 200, body: { items } };
    },
  });
}
