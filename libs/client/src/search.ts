import type { SearchRequest } from '@answer-evidence/contracts';
import { listSearchValues, searchRecords } from '@answer-evidence/contracts/operations';
import { createCalls } from './calls.ts';
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
  };
}
