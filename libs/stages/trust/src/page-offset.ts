import { type Page, PAGE_REACH_MAX, PAGE_SIZE_DEFAULT, ServiceError } from '@answer-evidence/contracts';

/** Where a page begins and ends, and the envelope that it is returned in. */
type PageOffset = {
  readonly offset: number;
  readonly limit: number;
  envelope<T>(items: readonly T[], total: number): Page<T>;
};

/** The place of a page of a list that has no cursor. Throws `page_out_of_reach`. */
export function pageOffset(query: {
  readonly page?: number | undefined;
  readonly size?: number | undefined;
}): PageOffset {
  const { page = 1, size = PAGE_SIZE_DEFAULT } = query;
  if (page * size > PAGE_REACH_MAX)
    throw new ServiceError('page_out_of_reach', 'the page is out of reach', {
      errors: [{ pointer: '?page', detail: `page × size must be at most ${PAGE_REACH_MAX}` }],
    });
  return {
    offset: (page - 1) * size,
    limit: size,
    envelope: (items, total) => ({
      items,
      page,
      size,
      total: Math.min(total, PAGE_REACH_MAX),
      total_relation: total > PAGE_REACH_MAX ? 'gte' : 'eq',
      next_cursor: null,
    }),
  };
}
