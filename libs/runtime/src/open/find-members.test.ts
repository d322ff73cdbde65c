import { describe, expect, it } from '@jest/globals';
import { memberCore } from '@answer-evidence/contracts';
import { parseJsonText } from '@answer-evidence/encoding';
import { createFakeWorkspace } from '@answer-evidence/testing';
import { findUnnamedMembers } from './find-members.ts';

/** A workspace as a release left it whose log named no members. */
function openOld() {
  const deps = createFakeWorkspace();
  deps.database.rows.members = deps.database.rows.members.map((row) => ({ ...row, version: 0 }));
  const named = () =>
    deps.database.rows.workspace_entries
      .filter(({ type }) => type === 'member_changed')
      .map((row) => memberCore.parse(parseJsonText(row.core_json)));
  return { deps, named };
}

describe('findUnnamedMembers', () => {
  it('names every member of a log that names none, as they are, and does it once', async () => {
    const { deps, named } = openOld();
    await findUnnamedMembers(deps);
    await findUnnamedMembers(deps);
    expect(named().map(({ username, role, changes, version }) => [username, role, changes, version])).toEqual([
      ['mia', 'manager', ['found'], 1],
      ['max', 'member', ['found'], 1],
    ]);
    expect(deps.database.rows.members.map(({ version }) => version)).toEqual([1, 1]);
  });

  it('names them once when two processes start at the same moment', async () => {
    const { deps, named } = openOld();
    await Promise.all([findUnnamedMembers(deps), findUnnamedMembers({ ...deps, ledger: deps.otherLedger })]);
    expect(named()).toHaveLength(2);
  });

  it('names nobody who was put beside a log that names members, nor anybody once more', async () => {
    const { deps, named } = openOld();
    await findUnnamedMembers(deps);
    deps.database.rows.members = deps.database.rows.members.map((row) => ({ ...row, role: 'manager', version: 0 }));
    await findUnnamedMembers(deps);
    expect(named()).toHaveLength(2);
  });
});
