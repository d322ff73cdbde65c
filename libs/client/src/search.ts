import type { BrowseRequest, CreateViewRequest, MarkedFilters, SearchRequest } from '@answer-evidence/contracts';
import {
  browseTexts,
  countAnswered,
  createView,
  listMarkedRecords,
  listSearchValues,
  listViews,
  removeView,
  searchRecords,
} from '@answer-evidence/contracts/operations';
import { createCalls, toCall } from './calls.ts';
import type { PageRequest } from './records.ts';
import type { Send } from './transport.ts';

/** Searches for records. */
export type SearchApi = ReturnType<typeof createSearchApi>;

/** The operations of the search over a transport. */
export function createSearchApi(send: Send) {
  const { call } = createCalls(send);
  return {
    /** Records by whatever is known of them, and how the text was understood. */
    records: async (body: SearchRequest) => call(searchRecords, { body }),
    /** The applications, environments and modes that records have. */
    values: async () => call(listSearchValues, {}),
    /** A page of records with what tells them apart, newest first. */
    marked: async (filters: MarkedFilters = {}, page: PageRequest = {}) =>
      call(listMarkedRecords, { query: { ...filters, ...page } }),
    /** Imported answers by the time that is claimed for them. */
    answered: async (query: Pick<MarkedFilters, 'answered_after' | 'answered_before' | 'application_key'> = {}) =>
      call(countAnswered, { query }),
    /** How the texts of some records begin; an entry of the log says of each who read it, and why. */
    texts: async (body: BrowseRequest) => call(browseTexts, { body }),
    /** The views that the workspace shares. */
    views: async () => call(listViews, {}),
    saveView: async (body: CreateViewRequest) => call(createView, { body }),
    removeView: async (viewId: string): Promise<void> => {
      await send(toCall(removeView, { params: { view_id: viewId } }, { repeat: 'safe' }));
    },
  };
}
