import { ServiceError, type SettingsCore, settingsCore } from '@answer-evidence/contracts';
import type { AppendCommand, Write } from '../append-command.ts';
import { placeWorkspaceEntry, type WorkspaceEntry } from './workspace-entry.ts';

/**
 * Changes the settings. `before` are entries that the change depends on (a new hash key). `core` is all settings from
 * now on, made from the version `settingsVersion`, or the reason of a refusal.
 */
export function createSettingsCommand(
  workspaceId: string,
  settingsVersion: number,
  before: { readonly entries: readonly WorkspaceEntry[]; readonly writes: readonly Write[] },
  core: SettingsCore | ServiceError,
): AppendCommand {
  const parts = core instanceof ServiceError ? [] : [...before.entries, settingsEntry(core)];
  const placed = parts.map((entry) => placeWorkspaceEntry(workspaceId, entry));
  return {
    subject: workspaceId,
    entryIds: placed.map(({ entry }) => entry.id),
    settingsVersion,
    reads: {},
    sizeBytes: 2_000 + JSON.stringify(core).length,
    decide(view) {
      if (view.settings.version !== settingsVersion) return { kind: 'reprepare' };
      if (core instanceof ServiceError) return { kind: 'refuse', error: core };
      return {
        kind: 'append',
        entries: placed.map(({ entry }) => entry),
        writes: [...before.writes, ...placed.map(({ write }) => write)],
      };
    },
  };
}

/** The entry that puts settings in force; its core leaves out the later settings that have their default. */
export function settingsEntry(core: SettingsCore): WorkspaceEntry {
  return { type: 'settings_changed', seq: core.version, core: settingsCore.encode(core) };
}
