import { hashCoreText } from '@answer-evidence/commitments';
import type { JsonValue, WORKSPACE_ENTRY_TYPES } from '@answer-evidence/contracts';
import { canonicalize } from '@answer-evidence/encoding';
import type { NewEntry, Write } from '../append-command.ts';

/** An entry whose subject is the workspace: its id, its core, and where it stands in a series (0 when in none). */
export type WorkspaceEntry = {
  readonly type: (typeof WORKSPACE_ENTRY_TYPES)[number];
  readonly seq: number;
  readonly core: { readonly id: string } & { readonly [key: string]: JsonValue };
};

/** The leaf and the stored core of a workspace entry. */
export function placeWorkspaceEntry(workspaceId: string, entry: WorkspaceEntry): { entry: NewEntry; write: Write } {
  const coreText = canonicalize(entry.core);
  return {
    entry: {
      type: entry.type,
      id: entry.core.id,
      subject: workspaceId,
      seq: entry.seq,
      hash: hashCoreText(entry.type, coreText),
    },
    write: {
      kind: 'insert',
      table: 'workspace_entries',
      row: { id: entry.core.id, type: entry.type, seq: entry.seq, core_json: coreText },
    },
  };
}
