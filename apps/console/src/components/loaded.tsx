import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorState } from './error-state.tsx';
import { Waiting } from './waiting.tsx';

type Props<T> = { readonly query: UseQueryResult<T>; readonly children: (value: T) => ReactNode };

/** What was asked for, once it is here; until then that it is on its way, or why it is not. */
export function Loaded<T>({ query, children }: Props<T>) {
  if (query.isPending) return <Waiting />;
  if (query.isError && query.data === undefined)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  return children(query.data as T);
}
