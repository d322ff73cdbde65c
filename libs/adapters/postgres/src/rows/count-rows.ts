import { PAGE_REACH_MAX } from '@answer-evidence/contracts';
import type { Query } from '../session.ts';

/** How many rows a list has; not exact where they are more than pages reach. */
type Count = { readonly total: number; readonly totalIsExact: boolean };

/** Counts the rows of `from … where …`, and no further than pages reach; so many of them are not in the list. */
export async function countRows(
  query: Query,
  name: string,
  from: string,
  values: readonly unknown[],
  notListed = 0,
): Promise<Count> {
  const [counted] = await query<{ total: number }>(
    name,
    `select count(*) as total from (select ${from} limit ${PAGE_REACH_MAX + 1 + notListed}) as counted`,
    values,
  );
  const total = Math.max(0, (counted?.total ?? 0) - notListed);
  return { total: Math.min(total, PAGE_REACH_MAX), totalIsExact: total <= PAGE_REACH_MAX };
}
