import { useWorkspaceQuery } from '../session/workspace-query.ts';

const FOLLOWED_MS = 3_000;

/** How far the words of texts are indexed, followed while that changes; `percent` of the log, rounded down. */
export function useWordIndex() {
  const { data } = useWorkspaceQuery(['search-words'], (client) => client.search.words(), {
    refetchInterval: ({ state }) =>
      state.data?.state === 'building' || state.data?.state === 'ending' ? FOLLOWED_MS : false,
    retry: false,
  });
  if (data === undefined) return undefined;
  return { ...data, percent: data.entries === 0 ? 0 : Math.floor((100 * data.indexed_entries) / data.entries) };
}
