import { type Actor, type HashKeyCore, type SettingsCore, type SettingsValues } from '@answer-evidence/contracts';
import { formatHex } from '@answer-evidence/encoding';
import { type AppendCommand, createSettingsCommand, type VersionedSettings } from '@answer-evidence/ledger';
import { type Clock, newId } from '@answer-evidence/ports';
import type { TestWorkspace } from './test-workspace.ts';

const SERVICE: Actor = { kind: 'service', id: 'test', token_id: null };

/** Where a change is prepared. */
type Place = Pick<TestWorkspace, 'workspace' | 'random'> & { readonly clock: Clock };

/**
 * Prepares a change of the settings. With `keyId`, a new hash key of that name comes before it and becomes the active
 * one; its wrapped bytes are returned too.
 */
export function prepareSettingsChange(
  place: Place,
  { version, values }: VersionedSettings,
  patch: Partial<SettingsValues>,
  keyId?: string,
): { readonly command: AppendCommand; readonly wrappedKey: Uint8Array | undefined } {
  const { workspace, random } = place;
  const identity = () => ({ id: newId(place), nonce: formatHex(random.bytes(16)), actor: SERVICE });
  const made = keyId === undefined ? undefined : { id: keyId, ...workspace.vault.createHashKey(keyId) };
  const keyCores: HashKeyCore[] =
    made === undefined
      ? []
      : [{ ...identity(), hash_key_id: made.id, fingerprint: made.fingerprint, change: 'created' }];
  const before = {
    entries: keyCores.map((core) => ({ type: 'hash_key_changed' as const, seq: 0, core })),
    writes:
      made === undefined
        ? []
        : [{ kind: 'insert' as const, table: 'hash_keys' as const, row: { id: made.id, wrapped_key: made.wrapped } }],
  };
  const active = made === undefined ? {} : { answer_audit_hash_key_id: made.id };
  const settings = { ...values, ...active, ...patch };
  const core: SettingsCore = { ...identity(), version: version + 1, settings };
  return { command: createSettingsCommand(workspace.id, version, before, core), wrappedKey: made?.wrapped };
}

/** Appends a change of the settings to the log, with a fresh hash key before it when what needs one is switched on. */
export async function changeSettings(test: TestWorkspace, patch: Partial<SettingsValues>): Promise<void> {
  const usesKey = patch.answer_audit_keyed_hash_enabled === true || patch.answer_audit_otlp_hash_user_ids === true;
  const keyId = usesKey ? `hk_${formatHex(test.random.bytes(16))}` : undefined;
  await test.ledger.append(test.workspace.id, (settings) =>
    Promise.resolve(prepareSettingsChange(test, settings, patch, keyId).command),
  );
}
