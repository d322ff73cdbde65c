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

/** So many keys of a workspace stay open in a process. */
const OPEN_KEYS_MAX = 100;

/** Hash keys read from the store. Beyond `keysMax` of a workspace, its own that was opened first is opened again. */
export function createHashKeys(administration: AdministrationStore, keysMax = OPEN_KEYS_MAX): HashKeys {
  /** By workspace and key, the one opened last at the end. */
  const opened = new Map<string, Map<string, Uint8Array>>();
  return async (workspace, keyId) => {
    const known = opened.get(workspace.id)?.get(keyId);
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
    const keys = opened.get(workspace.id) ?? new Map<string, Uint8Array>();
    const [oldest] = keys.keys();
    if (keys.size >= keysMax && oldest !== undefined) keys.delete(oldest);
    opened.set(workspace.id, keys.set(keyId, key));
    return key;
  };
}
