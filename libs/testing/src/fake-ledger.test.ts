import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '@answer-evidence/contracts';
import { createNoteCommand } from '@answer-evidence/ledger';
import { verifyInclusion } from '@answer-evidence/merkle';
import { parseCheckpoint, parseNote } from '@answer-evidence/note';
import { createFakeWorkspace, type FakeWorkspace } from './fake-workspace.ts';

function note(workspace: FakeWorkspace, id: string) {
  return createNoteCommand(workspace.workspace.id, { type: 'export_made', seq: 0, core: { id } });
}

describe('FakeLedger', () => {
  it('gives each append a proof that leads to its checkpoint', async () => {
    const workspace = createFakeWorkspace();
    for (let n = 0; n < 9; n++) {
      const id = `0199f3c2-0000-7000-8000-00000000000${n}`;
      const outcome = await workspace.ledger.append(workspace.workspace.id, () => note(workspace, id));
      if (outcome.kind !== 'appended') throw new Error('a note is appended');
      const { origin, size, root } = parseCheckpoint(parseNote(outcome.checkpoint).text);
      const [entry] = outcome.entries;
      expect({ origin, size, index: entry.leafIndex }).toEqual({
        origin: workspace.workspace.origin,
        size: n + 3,
        index: n + 2,
      });
      verifyInclusion(entry.leafIndex, size, entry.leafHash, entry.proof, root);
    }
  });

  it('hands back the very command that was appended, with all that it carries', async () => {
    const workspace = createFakeWorkspace();
    const command = { ...note(workspace, '0199f3c2-0000-7000-8000-000000000000'), carried: 'to the caller' };
    const outcome = await workspace.ledger.append(workspace.workspace.id, () => Promise.resolve(command));
    expect(outcome.command).toBe(command);
  });

  it('keeps nothing of an append that fails before its commit, and all of one that fails after', async () => {
    const workspace = createFakeWorkspace();
    const error = new ServiceError('ledger_unavailable', 'not now');
    for (const kept of [false, true]) {
      const before = workspace.database.rows.ledger_leaves.length;
      workspace.ledger.failNext({ error, kept });
      const id = `0199f3c2-0000-7000-8000-00000000000${kept ? 1 : 0}`;
      await expect(workspace.ledger.append(workspace.workspace.id, () => note(workspace, id))).rejects.toBe(error);
      expect(workspace.database.rows.ledger_leaves).toHaveLength(before + (kept ? 1 : 0));
    }
  });
});
