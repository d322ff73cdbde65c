import type { Actor } from '@answer-evidence/contracts';
import type { AppendCommand } from '../append-command.ts';
import { memberCoreOf } from './member-command.ts';
import { placeWorkspaceEntry } from './workspace-entry.ts';

/**
 * Names in the log the members of a workspace whose log names none: those that a release made which kept no entries of
 * them. `identities` has an id and a nonce for each such member that was seen. Where the log names any member this
 * appends nothing, for ever: a row that is put beside the log then stays without an entry, and the ledger check names
 * it.
 */
export function createFindMembersCommand(
  workspaceId: string,
  identities: readonly { readonly id: string; readonly nonce: string }[],
  actor: Actor,
): AppendCommand {
  return {
    subject: workspaceId,
    entryIds: identities.map(({ id }) => id),
    settingsVersion: null,
    reads: { members: true },
    sizeBytes: 1_000 * identities.length,
    decide(view) {
      const members = view.members();
      if (members.length === 0 || members.some(({ row }) => row.version > 0))
        return { kind: 'replay', objectId: workspaceId };
      if (members.length !== identities.length) return { kind: 'reprepare' };
      const found = members.map(({ row }, n) => {
        const identity = identities[n];
        if (identity === undefined) throw new Error('there is an identity for each member');
        const next = { ...row, version: 1 };
        const core = memberCoreOf(identity, next, ['found'], actor);
        return { next, ...placeWorkspaceEntry(workspaceId, { type: 'member_changed', seq: 1, core }) };
      });
      return {
        kind: 'append',
        entries: found.map(({ entry }) => entry),
        writes: found.flatMap(({ write, next }) => [write, { kind: 'replace', table: 'members', row: next }]),
      };
    },
  };
}
