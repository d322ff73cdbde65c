import type { RevealCore } from '@answer-evidence/contracts';
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

/** Notes that somebody is about to read the texts of a record, and why. It comes before a text leaves. */
export function createRevealCommand(
  workspaceId: string,
  { id, nonce }: Pick<RevealCore, 'id' | 'nonce'>,
  { answer_log_id, reason_code, reason, actor }: Omit<RevealCore, 'id' | 'nonce'>,
): AppendCommand {
  const core: RevealCore = { id, nonce, answer_log_id, reason_code, reason, actor };
  return createNoteCommand(workspaceId, { type: 'texts_revealed', seq: 0, core });
}
