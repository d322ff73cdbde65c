import type { AppendCommand } from '../append-command.ts';
import { placeWorkspaceEntry, type WorkspaceEntry } from './workspace-entry.ts';

/** Notes that something happened in the workspace, such as an export; nothing else depends on it. */
export function createNoteCommand(workspaceId: string, noted: WorkspaceEntry): AppendCommand {
  const { entry, write } = placeWorkspaceEntry(workspaceId, noted);
  return {
    subject: workspaceId,
    entryIds: [entry.id],
    settingsVersion: null,
    reads: {},
    sizeBytes: 1_000,
    decide: () => ({ kind: 'append', entries: [entry], writes: [write] }),
  };
}
