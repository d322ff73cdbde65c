import { type WorkspaceEntryFilters, workspaceEntryList, workspaceEntryWithReceipt } from '@answer-evidence/contracts';
import type { PageRequest } from './records.ts';
import { createRequests, formatQuery } from './request.ts';
import type { Send } from './transport.ts';

/** Reads of what was done in a workspace. */
export type EntriesApi = ReturnType<typeof createEntriesApi>;

const PATH = '/api/tenant/entries';

/** The operations on entries about the workspace over a transport. */
export function createEntriesApi(send: Send) {
  const { get } = createRequests(send);
  return {
    /** Newest first. */
    list: async (filters: WorkspaceEntryFilters = {}, page: PageRequest = {}) =>
      get(formatQuery(PATH, { ...filters, ...page }), workspaceEntryList),
    /** With a receipt, which proves that the log has the entry. */
    get: async (id: string) => get(`${PATH}/${encodeURIComponent(id)}`, workspaceEntryWithReceipt),
  };
}
