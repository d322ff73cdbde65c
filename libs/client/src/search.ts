import type {
  BrowseRequest,
  CreateViewRequest,
  MarkedFilters,
  RevealRequest,
  SearchRequest,
} from '@answer-evidence/contracts';
import {
  browseTexts,
  countAnswered,
  createView,
  getWordIndex,
  listMarkedRecords,
  listSearchValues,
  listViews,
  openSearchSession,
  removeView,
  searchRecords,
} from '@answer-evidence/contracts/operations';
import { createCalls } from './calls.ts';
import { differencesOf } from './compare/differences.ts';
import { type AssertSame, createAgree } from './compare/refuse.ts';
import type { PageRequest } from './records.ts';
import type { Send } from './transport.ts';

/** Searches for records. */
export type SearchApi = ReturnType<typeof createSearchApi>;

/** The operations of the search over a transport. */
export function createSearchApi(send: Send, assertSame: AssertSame) {
  const { call, end } = createCalls(send);
  const agree = createAgree(assertSame);
  return {
    /** Records by whatever is known of them, and how the text was understood. */
    records: async (body: SearchRequest) => call(searchRecords, { body }),
    /** Gives the reason for searching texts for their words; the log keeps it, and for a while searches may name it. */
    openSession: async (body: RevealRequest) => call(openSearchSession, { body }),
    /** Whether words of texts are searched for, and how far they are indexed. */
    words: async () => call(getWordIndex, {}),
    /** The applications, environments and modes that records have. */
    values: async () => call(listSearchValues, {}),
    /** A page of records with what tells them apart, newest first. */
    marked: async (filters: MarkedFilters = {}, page: PageRequest = {}) =>
      call(listMarkedRecords, { query: { ...filters, ...page } }),
    /** Imported answers by the time that is claimed for them. */
    answered: async (query: Pick<MarkedFilters, 'answered_after' | 'answered_before' | 'application_key'> = {}) =>
      call(countAnswered, { query }),
    /** How the texts of some records begin; an entry of the log says who read them, and why. */
    async texts(body: BrowseRequest) {
      const texts = await call(browseTexts, { body });
      const wanted = [...new Set(body.answer_log_ids.map((id) => id.toLowerCase()))];
      const shown = texts.items.map((one) => one.answer_log_id);
      await assertSame(differencesOf({ '/items': [wanted.join(' '), shown.join(' ')] }));
      return texts;
    },
    /** The views that the workspace shares. */
    views: async () => call(listViews, {}),
    saveView: async (body: CreateViewRequest) =>
      agree(call(createView, { body }), (view) => differencesOf({ '/name': [body.name, view.name] })),
    removeView: async (viewId: string) => end(removeView, { params: { view_id: viewId } }),
  };
}
