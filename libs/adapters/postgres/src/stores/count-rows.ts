import { PAGE_REACH_MAX } from '@answer-evidence/contracts';
import type { Query } from '../session.ts';

/** How many rows a list has; not exact where they are more than pages reach. */
type Count = { readonly total: number; readonly totalIsExact: boolean };

/** Counts the rows of `from … where …`, and no further than pages reach. */
export async function countRows(query: Query, name: string, from: string, values: readonly unknown[]): Promise<Count> {
  const [counted] = await query<{ total: number }>(
    name,
    `select count(*) as total from (select ${from} limit ${PAGE_REACH_MAX + 1}) as counted`,
    values,
  );
  const total = counted?.total ?? 0;
  return { total: Math.min(total, PAGE_REACH_MAX), totalIsExact: total <= PAGE_REACH_MAX };
}
