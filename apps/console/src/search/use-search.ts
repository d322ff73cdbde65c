import { useEffect, useState } from 'react';
import type { SearchResult } from '@answer-evidence/contracts';
import { useWorkspaceQuery } from '../session/workspace-query.ts';

/** How long somebody has to stop typing before it is searched, in milliseconds. */
const PAUSE_MS = 200;
const SIZE = 12;

/**
 * What a text finds, once its writer pauses; with the session of a reason also by words of the texts. The text goes out
 * in a body, and is kept in this page's memory alone, for as long as it is in the field.
 */
export function useSearch(
  text: string,
  searchSession: string | undefined,
): {
  readonly result: SearchResult | undefined;
  readonly error: unknown;
  readonly isBusy: boolean;
} {
  const [asked, setAsked] = useState('');
  const wanted = text.trim();
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [wanted]);
  const query = useWorkspaceQuery(
    ['search', asked, searchSession],
    (client) =>
      client.search.records({
        text: asked,
        time_zone: zoneOfReader(),
        size: SIZE,
        ...(searchSession === undefined ? {} : { session: searchSession }),
      }),
    { enabled: asked !== '' && asked === wanted, gcTime: 0, retry: false },
  );
  return {
    result: asked === wanted ? query.data : undefined,
    error: query.error,
    isBusy: wanted !== '' && (asked !== wanted || query.isFetching),
  };
}

function zoneOfReader(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
