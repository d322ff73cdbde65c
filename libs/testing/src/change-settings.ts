import {
  type Actor,
  type HashKeyCore,
  ServiceError,
  type SettingsCore,
  settingsCore,
  type SettingsValues,
} from '@answer-evidence/contracts';
import { createUuidV7, formatHex, parseJsonText } from '@answer-evidence/encoding';
import { createSettingsCommand } from '@answer-evidence/ledger';
import type { TestWorkspace } from './test-workspace.ts';

const SERVICE: Actor = { kind: 'service', id: 'test', token_id: null };

/** Appends a change of the settings to the log, with a fresh hash key before it when keyed hashing is switched on. */
export async function changeSettings(test: TestWorkspace, patch: Partial<SettingsValues>): Promise<void> {
  const { workspace, ledger, logs, random } = test;
  const nowMs = Math.floor(test.clock.nowMicros() / 1000);
  const identity = () => ({ id: createUuidV7(nowMs, random.bytes(10)), nonce: formatHex(random.bytes(16)) });
  const keyId = `hk_${formatHex(random.bytes(16))}`;
  const made = workspace.vault.createHashKey(keyId);
  const keyCore: HashKeyCore = {
    ...identity(),
    hash_key_id: keyId,
    fingerprint: made.fingerprint,
    change: 'created',
    actor: SERVICE,
  };
  const key = patch.answer_audit_keyed_hash_enabled === true ? { answer_audit_hash_key_id: keyId } : undefined;
  const before = {
    entries: key === undefined ? [] : [{ type: 'hash_key_changed' as const, seq: 0, core: keyCore }],
    writes:
      key === undefined
        ? []
        : [{ kind: 'insert' as const, table: 'hash_keys' as const, row: { id: keyId, wrapped_key: made.wrapped } }],
  };
  await ledger.append(workspace.id, async (known) => {
    const newest = (await logs.workspaceEntries(workspace.id, 'settings_changed')).at(-1);
    if (newest === undefined) throw new ServiceError('internal', 'the workspace has no settings');
    const { version, settings } = settingsCore.parse(parseJsonText(newest.core_json));
    const core: SettingsCore = {
      ...identity(),
      version: version + 1,
      settings: { ...settings, ...key, ...patch },
      actor: SERVICE,
    };
    return createSettingsCommand(workspace.id, known.version, before, core);
  });
}
