import { useQuery } from '@tanstack/react-query';
import { useSession } from '../session/session-context.tsx';

const FOLLOWED_MS = 3_000;

/** How far the words of texts are indexed, followed while that changes; `percent` of the log, rounded down. */
export function useWordIndex() {
  const { client, session } = useSession();
  const { data } = useQuery({
    queryKey: ['search-words', session.workspace.id],
    queryFn: () => client.search.words(),
    refetchInterval: ({ state }) =>
      state.data?.state === 'building' || state.data?.state === 'ending' ? FOLLOWED_MS : false,
    retry: false,
  });
  if (data === undefined) return undefined;
  return { ...data, percent: data.entries === 0 ? 0 : Math.floor((100 * data.indexed_entries) / data.entries) };
}
