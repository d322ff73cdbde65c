import { useQuery } from '@tanstack/react-query';
import type { SearchValues } from '@answer-evidence/contracts';
import { useSession } from '../session/session-context.tsx';

const FRESH_MS = 60_000;
const NONE: Pick<SearchValues, 'applications' | 'environments'> = { applications: [], environments: [] };

/** The applications and environments that have records: what fields for their names offer. */
export function useKnownNames(): Pick<SearchValues, 'applications' | 'environments'> {
  const { client, session } = useSession();
  const { data } = useQuery({
    queryKey: ['search-values', session.workspace.id],
    queryFn: () => client.search.values(),
    staleTime: FRESH_MS,
  });
  return data ?? NONE;
}
