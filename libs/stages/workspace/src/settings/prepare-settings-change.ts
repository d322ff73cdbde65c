import type { Actor, SettingsCore, SettingsValues } from '@answer-evidence/contracts';
import { type AppendCommand, createSettingsCommand, type VersionedSettings } from '@answer-evidence/ledger';
import { type AdministrationStore, type IdSource, newCoreIdentity, type Workspace } from '@answer-evidence/ports';
import { type MadeHashKey, makeHashKey, refuseHashKey } from '../hash-keys/make-hash-key.ts';
import { planSettingsChange, type WantedChange } from './plan-settings-change.ts';

/** A change for the log, with the settings that then hold; their time is that of its entry, if it has one. */
type SettingsCommand = AppendCommand & { readonly after: VersionedSettings };

/** Prepares a patch of the settings. A refusal is in the command: it counts only if they are still in force. */
export async function prepareSettingsChange(
  deps: IdSource & { readonly administration: AdministrationStore },
  workspace: Workspace,
  current: VersionedSettings,
  wanted: WantedChange,
  actor: Actor,
): Promise<SettingsCommand> {
  const keyId = wanted.patch.answer_audit_hash_key_id;
  // A key is never removed, and making one moves the version: what is found or missing here stays so at this version.
  const keyExists = keyId !== undefined && (await deps.administration.findHashKey(workspace.id, keyId)) !== undefined;
  const change = planSettingsChange(current, wanted, keyExists);
  switch (change.kind) {
    case 'refused':
      return { ...createSettingsCommand(workspace.id, current.version, NOTHING, change.error), after: current };
    case 'unchanged':
      return { ...createUnchangedCommand(workspace.id, current.version), after: current };
    case 'changed':
      return change.needsKey
        ? prepareKeyActivation(deps, workspace, current, change.values, makeHashKey(deps, workspace, actor), actor)
        : prepareValues(deps, workspace, current, change.values, NOTHING, actor);
  }
}

/** Prepares the entry of a new hash key and, after it, the settings `values` with that key active, or the refusal. */
export async function prepareKeyActivation(
  deps: IdSource & { readonly administration: AdministrationStore },
  workspace: Workspace,
  current: VersionedSettings,
  values: SettingsValues,
  made: MadeHashKey,
  actor: Actor,
): Promise<SettingsCommand> {
  // As many as there are at this version: making one moves it.
  const refusal = await refuseHashKey(deps.administration, workspace.id);
  if (refusal !== undefined)
    return { ...createSettingsCommand(workspace.id, current.version, NOTHING, refusal), after: current };
  return prepareValues(deps, workspace, current, { ...values, answer_audit_hash_key_id: made.keyId }, made, actor);
}

const NOTHING = { entries: [], writes: [] };

function prepareValues(
  source: IdSource,
  workspace: Workspace,
  current: VersionedSettings,
  values: SettingsValues,
  before: Pick<MadeHashKey, 'entries' | 'writes'>,
  actor: Actor,
): SettingsCommand {
  const version = current.version + 1;
  const core: SettingsCore = { ...newCoreIdentity(source), version, settings: values, actor };
  return {
    ...createSettingsCommand(workspace.id, current.version, before, core),
    after: { ...current, version, values },
  };
}

/** Appends nothing, and so says that the settings are what the caller wants them to be, if they still are. */
function createUnchangedCommand(workspaceId: string, version: number): AppendCommand {
  return {
    subject: workspaceId,
    entryIds: [],
    settingsVersion: version,
    reads: {},
    sizeBytes: 0,
    decide: (view) =>
      view.settings.version === version ? { kind: 'replay', objectId: workspaceId } : { kind: 'reprepare' },
  };
}
