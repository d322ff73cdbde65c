import { ServiceError } from '@answer-evidence/contracts';
import type { VersionedSettings } from '@answer-evidence/ledger';
import type { AdministrationStore, Workspace } from '@answer-evidence/ports';

/** Opens tenants' hash keys once and keeps them; a key never changes. */
export type HashKeys = (workspace: Workspace, keyId: string) => Promise<Uint8Array>;

/** The key that commitments are made with under these settings; null where they are plain. */
export async function commitmentKey(
  hashKeys: HashKeys,
  workspace: Workspace,
  { values }: VersionedSettings,
): Promise<Uint8Array | null> {
  const { answer_audit_keyed_hash_enabled: isKeyed, answer_audit_hash_key_id: keyId } = values;
  return isKeyed && keyId !== null ? hashKeys(workspace, keyId) : null;
}

/** Hash keys read from the store. */
export function createHashKeys(administration: AdministrationStore): HashKeys {
  const opened = new Map<string, Uint8Array>();
  return async (workspace, keyId) => {
    const name = `${workspace.id}/${keyId}`;
    const known = opened.get(name);
    if (known !== undefined) return known;
    const row = await administration.findHashKey(workspace.id, keyId);
    if (row === undefined)
      throw new ServiceError(
        'content_damaged',
        'the active hash key is missing; report the request_id to the operator',
        {
          remedy: 'give-up',
        },
      );
    const key = workspace.vault.openHashKey(keyId, row.wrapped_key);
    opened.set(name, key);
    return key;
  };
}
