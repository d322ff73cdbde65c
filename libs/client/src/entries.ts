import type { ReadingFilters, WorkspaceEntryFilters } from '@answer-evidence/contracts';
import { getWorkspaceEntry, listReadings, listWorkspaceEntries } from '@answer-evidence/contracts/operations';
import { createCalls } from './calls.ts';
import { compareItems } from './compare/compare-repeated.ts';
import { below, compareEntry, differencesOf } from './compare/differences.ts';
import { type AssertSame, createAgree } from './compare/refuse.ts';
import type { PageRequest } from './records.ts';
import type { Send } from './transport.ts';

/** Reads of what was done in a workspace. */
export type EntriesApi = ReturnType<typeof createEntriesApi>;

/** The operations on entries about the workspace over a transport. */
export function createEntriesApi(send: Send, assertSame: AssertSame) {
  const { call } = createCalls(send);
  const agree = createAgree(assertSame);
  return {
    /** Newest first. */
    list: async (filters: WorkspaceEntryFilters = {}, page: PageRequest = {}) =>
      agree(call(listWorkspaceEntries, { query: { ...filters, ...page } }), (found) => compareItems(filters, found)),
    /** Who read the texts of which records, and why; newest first. */
    async readings(filters: ReadingFilters = {}, page: PageRequest = {}) {
      const found = await call(listReadings, { query: { ...filters, ...page } });
      const record = filters.answer_log_id?.toLowerCase();
      const differences = found.items.flatMap(({ actor, answer_log_ids: ids }, n) => [
        ...below(`/items/${n}`, differencesOf({ '/actor/id': [filters.actor_id, actor.id] })),
        ...(record === undefined || ids.includes(record) ? [] : [`/items/${n}/answer_log_ids`]),
      ]);
      await assertSame(differences);
      return found;
    },
    /** With a receipt, which proves that the log has the entry. */
    async get(id: string) {
      const entry = await call(getWorkspaceEntry, { params: { entry_id: id } });
      const of = id.toLowerCase();
      const differences = [
        ...differencesOf({ '/id': [of, entry.id] }),
        ...compareEntry(entry.ledger.entry, { id: of, type: entry.type }),
      ];
      await assertSame(differences, entry);
      return entry;
    },
  };
}
