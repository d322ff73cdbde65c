import type { ComponentProps } from 'react';
import type { SearchResult } from '@answer-evidence/contracts';
import classes from './search-box.module.css';
import { SearchResults } from './search-results.tsx';
import { SearchSaid } from './search-said.tsx';

type Props = ComponentProps<typeof SearchResults> & {
  readonly result: SearchResult | undefined;
  readonly error: unknown;
};

/** How a text was understood, and what can be chosen of what it found. */
export function SearchFound({ result, error, ...list }: Props) {
  return (
    <>
      <p className={classes['said']} role="status">
        <SearchSaid result={result} isBusy={list.isBusy} error={error} />
      </p>
      <SearchResults {...list} />
    </>
  );
}
