import type {
  ProofLinkCore,
  ProofLinkUseCore,
  ReadingCore,
  RevealCore,
  SearchOpenedCore,
} from '@answer-evidence/contracts';
import type { AppendCommand } from '../append-command.ts';
import { placeWorkspaceEntry, type WorkspaceEntry } from './workspace-entry.ts';

/** Notes that things happened in the workspace together, such as an export; nothing else depends on it. */
export function createNoteCommand(workspaceId: string, ...noted: readonly WorkspaceEntry[]): AppendCommand {
  const placed = noted.map((one) => placeWorkspaceEntry(workspaceId, one));
  return {
    subject: workspaceId,
    entryIds: placed.map(({ entry }) => entry.id),
    settingsVersion: null,
    reads: {},
    sizeBytes: noted.reduce((sum, { core }) => sum + 500 + JSON.stringify(core).length, 0),
    decide: () => ({
      kind: 'append',
      entries: placed.map(({ entry }) => entry),
      writes: placed.map(({ write }) => write),
    }),
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

/** The entry that somebody is about to read the texts of these records, at least one, and why if they said it. */
export function readingEntry(
  { id, nonce }: Pick<ReadingCore, 'id' | 'nonce'>,
  recordIds: readonly string[],
  { operation, reason_code, reason, actor }: Pick<ReadingCore, 'operation' | 'reason_code' | 'reason' | 'actor'>,
): WorkspaceEntry {
  const [first, ...others] = recordIds;
  if (first === undefined) throw new RangeError('a reading is of at least one record');
  const read = others.length === 0 ? { answer_log_id: first } : { answer_log_ids: [...recordIds] };
  const core: ReadingCore = { id, nonce, ...read, operation, reason_code, reason, actor };
  return { type: 'texts_revealed', seq: 0, core };
}

/** Notes that anyone who has the link of this id may see a record. */
export function createProofLinkCommand(workspaceId: string, core: ProofLinkCore): AppendCommand {
  return createNoteCommand(workspaceId, { type: 'proof_link_made', seq: 0, core });
}

/** Notes that a link was opened, before anything of its record leaves, or that it was revoked. */
export function createProofLinkUseCommand(
  workspaceId: string,
  type: 'proof_link_opened' | 'proof_link_revoked',
  core: ProofLinkUseCore,
): AppendCommand {
  return createNoteCommand(workspaceId, { type, seq: 0, core });
}

/** Notes why somebody searches texts for their words. It comes before the first search. */
export function createSearchCommand(workspaceId: string, core: SearchOpenedCore): AppendCommand {
  return createNoteCommand(workspaceId, { type: 'search_opened', seq: 0, core });
}
