import type { ApprovableAct } from '@answer-evidence/ports';
import type { WorkspaceDeps } from '../deps.ts';
import { prepareSettingsChange } from './prepare-settings-change.ts';

/** Changes of the settings that somebody asked for. They fit while their version is in force. */
export function createSettingsAct(
  deps: Pick<WorkspaceDeps, 'administration' | 'clock' | 'random' | 'readFreshSettings'>,
): ApprovableAct {
  return {
    async pin(workspace, { settings }) {
      if (settings === undefined) throw new TypeError('a change of settings is asked for');
      const { version } = await deps.readFreshSettings(workspace.id);
      return { settings: { ...settings, version: settings.version ?? version } };
    },
    prepare({ workspace, settings: current, request: { settings: patch }, requester }) {
      if (patch === undefined) throw new TypeError('a change of settings is asked for');
      return prepareSettingsChange(deps, workspace, current, { patch, ifMatch: undefined }, requester);
    },
  };
}
