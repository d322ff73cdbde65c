import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { DataTable, Pager, type TableProps } from './data-table.tsx';
import { Loaded } from './loaded.tsx';

type Page<Row> = { readonly items: readonly Row[]; readonly next_cursor: string | null };

type Props<Row> = Omit<TableProps<Row>, 'rows' | 'isBusy'> & {
  readonly query: UseQueryResult<Page<Row>>;
  /** Where the page begins; undefined for the first. */
  readonly cursor: string | undefined;
  /** What stands in the place of an empty list. */
  readonly empty: ReactNode;
  /** What stands above the rows. */
  readonly above?: (rows: readonly Row[]) => ReactNode;
  /** Shows another page, by what the address says of it. */
  readonly onPage: (at: Readonly<Record<string, string>>) => void;
};

/** A page of a list once it is here, and the way to the first and to the next. */
export function PagedTable<Row>({ query, cursor, empty, above, onPage, ...table }: Props<Row>) {
  return (
    <Loaded query={query}>
      {({ items, next_cursor: next }) =>
        items.length === 0 ? (
          empty
        ) : (
          <>
            {above?.(items)}
            <DataTable {...table} rows={items} isBusy={query.isFetching} />
            <Pager
              onFirst={cursor === undefined ? null : () => onPage({})}
              onNext={next === null ? null : () => onPage({ cursor: next })}
            />
          </>
        )
      }
    </Loaded>
  );
}
