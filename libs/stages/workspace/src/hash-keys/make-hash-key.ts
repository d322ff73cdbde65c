import type { Actor, HashKeyCore } from '@answer-evidence/contracts';
import type { WorkspaceEntry, Write } from '@answer-evidence/ledger';
import { type IdSource, newCoreIdentity, newId, type Workspace } from '@answer-evidence/ports';

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
