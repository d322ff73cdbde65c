import type { WorkspaceEntryFilters } from '@answer-evidence/contracts';
import { parseJsonText } from '@answer-evidence/encoding';
import type { StoredEntry, WorkspaceEntryStore } from '@answer-evidence/ports';
import type { FakeDatabase } from './fake-database.ts';
import { findLeafPage, isCreatedWithin, type OfWorkspace } from './fake-store.ts';

/** Reads the entries about a workspace in memory. */
export function entriesOver(database: FakeDatabase): OfWorkspace<WorkspaceEntryStore> {
  function all(): readonly StoredEntry[] {
    const rows = database.rows.workspace_entries;
    return rows
      .map((row) => ({
        row,
        leaf: database.leafOf(row.id),
        before: rows.find(
          ({ type, seq }) =>
            ['settings_changed', 'trust_policy_changed'].includes(type) && type === row.type && seq === row.seq - 1,
        ),
      }))
      .toSorted((a, b) => b.leaf.leaf_index - a.leaf.leaf_index);
  }
  return {
    list(filters, page) {
      const matching = all().filter((stored) => isMatch(stored, filters));
      return findLeafPage(matching, page);
    },
    find: (entryId) => all().find(({ row }) => row.id === entryId),
    aboutProofLinks(recordId) {
      const newest = new Map<string, StoredEntry>();
      for (const stored of all()) {
        if (!stored.row.type.startsWith('proof_link_')) continue;
        const core = parseJsonText(stored.row.core_json) as { answer_log_id: string; proof_link_id?: string };
        if (core.answer_log_id !== recordId) continue;
        const key = `${stored.row.type} ${core.proof_link_id ?? stored.row.id}`;
        if (!newest.has(key)) newest.set(key, stored);
      }
      return [...newest.values()];
    },
    namesOf(ids) {
      const { members, tokens } = database.rows;
      const isWanted = ({ id }: { readonly id: string }) => ids.includes(id);
      return {
        members: new Map(members.filter(isWanted).map(({ id, username }) => [id, username])),
        tokens: new Map(tokens.filter(isWanted).map(({ id, name }) => [id, name])),
      };
    },
  };
}

function isMatch({ row, leaf }: StoredEntry, filters: WorkspaceEntryFilters): boolean {
  const core = parseJsonText(row.core_json) as { actor?: { id: string }; answer_log_id?: string };
  return (
    (filters.type === undefined || filters.type === row.type) &&
    (filters.actor_id === undefined || filters.actor_id === core.actor?.id) &&
    (filters.answer_log_id === undefined || filters.answer_log_id === core.answer_log_id) &&
    isCreatedWithin(filters, leaf.at)
  );
}
