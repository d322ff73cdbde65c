import {
  keepPreviousData,
  useQuery,
  useQueryClient,
  type UseQueryOptions,
  type UseQueryResult,
} from '@tanstack/react-query';
import type { Client } from '@answer-evidence/client';
import { useSession } from './session-context.tsx';

/** What something that was asked for is kept under: what it is, then of what. */
type Key = readonly [name: string, ...of: unknown[]];
type Options<T> = Omit<UseQueryOptions<T>, 'queryKey' | 'queryFn'>;

/** Asks for something of the workspace, and keeps it under a key of the workspace. */
export function useWorkspaceQuery<T>(
  key: Key,
  ask: (client: Client) => Promise<T>,
  options: Options<T> = {},
): UseQueryResult<T> {
  const { client } = useSession();
  return useQuery({ queryKey: useKeyOf()(key), queryFn: () => ask(client), ...options });
}

/** Asks for a page of a list. Until it is here, the page before it stays. */
export function useWorkspacePage<T>(
  key: Key,
  cursor: string | undefined,
  ask: (client: Client, at: { readonly cursor?: string }) => Promise<T>,
  options: Omit<UseQueryOptions<T>, 'queryKey' | 'queryFn' | 'placeholderData'> = {},
): UseQueryResult<T> {
  const at = cursor === undefined ? {} : { cursor };
  return useWorkspaceQuery<T>([...key, cursor ?? null], (client) => ask(client, at), {
    placeholderData: keepPreviousData,
    ...options,
  });
}

/** Has what is kept under a key, or under one that begins with it, asked for again. */
export function useReload(): (...key: Key) => Promise<void> {
  const queries = useQueryClient();
  const keyOf = useKeyOf();
  return (...key) => queries.invalidateQueries({ queryKey: keyOf(key) });
}

/** The key of the cache that something of the workspace is kept under. */
export function useKeyOf(): (key: Key) => readonly unknown[] {
  const { workspace } = useSession().session;
  return ([name, ...of]) => [name, workspace.id, ...of];
}
