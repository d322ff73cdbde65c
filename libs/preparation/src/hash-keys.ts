import { ServiceError } from '@answer-evidence/contracts';
import type { AdministrationStore, Workspace } from '@answer-evidence/ports';

/** Opens tenants' hash keys once and keeps them; a key never changes. */
export type HashKeys = (workspace: Workspace, keyId: string) => Promise<Uint8Array>;

/** Hash keys read from the store. */
export function createHashKeys(administration: AdministrationStore): HashKeys {
  const opened = new Map<string, Uint8Array>();
  return async (workspace, keyId) => {
    const name = `${workspace.id}/${keyId}`;
    const known = opened.get(name);
    if (known !== undefined) return known;
    const row = await administration.findHashKey(workspace.id, keyId);
    if (row === undefined)
      throw new ServiceError('internal', 'the active hash key is missing; report the request_id to the operator', {
        remedy: 'give-up',
      });
    const key = workspace.vault.openHashKey(keyId, row.wrapped_key);
    opened.set(name, key);
    return key;
  };
}
