import { expect, it } from '@jest/globals';
import { openTrust } from '../fixtures/trust.ts';
import { createNoteOpening } from './note-opening.ts';
import type { StoredLink } from './read-links.ts';

const OF_WORKSPACE_MAX = 2_500;

it('is remembered of so many links of a workspace, whatever is opened in others', async () => {
  const { clock, random, workspace } = await openTrust();
  const appended: string[] = [];
  const ledger = {
    append(workspaceId: string) {
      appended.push(workspaceId);
      return Promise.resolve();
    },
  };
  const note = createNoteOpening({ clock, random, ledger: ledger as never });
  const linkOf = (n: number) =>
    ({ opened: null, core: { id: `link ${n}`, answer_log_id: 'a record' } }) as unknown as StoredLink;
  const theirs = { ...workspace, id: 'theirs' };
  await note(theirs, linkOf(0));
  for (let n = 0; n <= OF_WORKSPACE_MAX; n++) await note(workspace, linkOf(n));
  expect(appended).toHaveLength(OF_WORKSPACE_MAX + 2);
  // Theirs and the newest of ours are known; the oldest of ours made room.
  await note(theirs, linkOf(0));
  await note(workspace, linkOf(OF_WORKSPACE_MAX));
  expect(appended).toHaveLength(OF_WORKSPACE_MAX + 2);
  await note(workspace, linkOf(0));
  expect(appended.at(-1)).toBe(workspace.id);
  expect(appended).toHaveLength(OF_WORKSPACE_MAX + 3);
});
