import { type Actor, type HashKeyCore, ServiceError } from '@answer-evidence/contracts';
import type { WorkspaceEntry, Write } from '@answer-evidence/ledger';
import {
  type AdministrationStore,
  type IdSource,
  newCoreIdentity,
  newId,
  type Workspace,
} from '@answer-evidence/ports';

/** So many hash keys may a workspace have. None is ever removed: records name them. */
export const HASH_KEYS_MAX = 1_000;

/** A hash key that is not stored yet: its entry, and its row with the key wrapped. */
export type MadeHashKey = {
  readonly keyId: string;
  readonly entries: readonly WorkspaceEntry[];
  readonly writes: readonly Write[];
};

/** Makes a tenant hash key. Its bytes never leave the vault; it exists once its entry is appended. */
export function makeHashKey(source: IdSource, workspace: Workspace, actor: Actor): MadeHashKey {
  const keyId = `hk_${newId(source).replaceAll('-', '')}`;
  const { wrapped, fingerprint } = workspace.vault.createHashKey(keyId);
  const core: HashKeyCore = {
    ...newCoreIdentity(source),
    hash_key_id: keyId,
    fingerprint,
    change: 'created',
    actor,
  };
  return {
    keyId,
    entries: [{ type: 'hash_key_changed', seq: 0, core }],
    writes: [{ kind: 'insert', table: 'hash_keys', row: { id: keyId, wrapped_key: wrapped } }],
  };
}

/** Why the workspace may make no further key, where it has as many as it may. */
export async function refuseHashKey(
  administration: AdministrationStore,
  workspaceId: string,
): Promise<ServiceError | undefined> {
  const { length } = await administration.hashKeys(workspaceId);
  if (length < HASH_KEYS_MAX) return undefined;
  const detail = `a workspace may have at most ${HASH_KEYS_MAX} hash keys, and none is removed; activate an earlier one`;
  return new ServiceError('limit_reached', `${detail} as answer_audit_hash_key_id in the settings`);
}
