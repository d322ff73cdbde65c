import type { SearchValues } from '@answer-evidence/contracts';
import { useWorkspaceQuery } from '../session/workspace-query.ts';

const FRESH_MS = 60_000;
const NONE: Pick<SearchValues, 'applications' | 'environments'> = { applications: [], environments: [] };

/** The applications and environments that have records: what fields for their names offer. */
export function useKnownNames(): Pick<SearchValues, 'applications' | 'environments'> {
  const { data } = useWorkspaceQuery(['search-values'], (client) => client.search.values(), { staleTime: FRESH_MS });
  return data ?? NONE;
}
