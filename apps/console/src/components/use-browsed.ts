import type { BrowsedText, RevealRequest } from '@answer-evidence/contracts';
import { useWorkspaceQuery } from '../session/workspace-query.ts';

/** What was read of the texts of records, by their ids. */
export type Browsed = ReadonlyMap<string, BrowsedText>;

/**
 * How the texts of these records begin, once a reason was given. They are read once, since each reading is an entry of
 * the log; in memory, and gone with the page.
 */
export function useBrowsed(reason: RevealRequest | null, ids: readonly string[]) {
  return useWorkspaceQuery(
    ['browsed', reason, ids],
    async (client): Promise<Browsed> => {
      if (reason === null) return new Map();
      const { items } = await client.search.texts({ ...reason, answer_log_ids: [...ids] });
      return new Map(items.map((item) => [item.answer_log_id, item]));
    },
    {
      enabled: reason !== null && ids.length > 0,
      staleTime: Infinity,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      retry: false,
    },
  );
}
