import * as z from 'zod';
import { atMost } from './text-length.ts';

/** Most items of one page, and most records of one export. */
export const PAGE_SIZE_MAX = 200;
/** Items of a page that names no size. */
export const PAGE_SIZE_DEFAULT = 50;
/** Farthest item that `page` and `size` reach; beyond it a list goes on with `cursor`. */
export const PAGE_REACH_MAX = 10_000;

const DECIMAL = /^(0|[1-9][0-9]{0,14})$/;

/** A non-negative decimal as it stands in a query string, described as the integer that it is. */
export function decimal(min: number, max: number) {
  return z
    .custom<string>(
      (text) => typeof text === 'string' && DECIMAL.test(text),
      'must be a whole number in digits, such as 20',
    )
    .meta({ type: 'integer', minimum: min, maximum: max })
    .transform(Number)
    .pipe(z.number().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`));
}

/** Paging part of a query. */
export const pageQuery = z.strictObject({
  page: decimal(1, 999_999_999).optional(),
  size: decimal(1, PAGE_SIZE_MAX).optional(),
  cursor: z.string().check(atMost(1000)).optional(),
});

/** The envelope of every list. `total` is exact to 10,000, then `total_relation` is `gte`. */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.strictObject({
    items: z.array(item),
    page: z.int().positive(),
    size: z.int().positive(),
    total: z.int().nonnegative(),
    total_relation: z.enum(['eq', 'gte']),
    next_cursor: z.string().nullable(),
  });
}

/** One page of a list. */
export type Page<T> = {
  readonly items: readonly T[];
  readonly page: number;
  readonly size: number;
  readonly total: number;
  readonly total_relation: 'eq' | 'gte';
  readonly next_cursor: string | null;
};
