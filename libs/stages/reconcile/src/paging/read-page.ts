import {
  type JsonObject,
  type Page,
  PAGE_REACH_MAX,
  PAGE_SIZE_DEFAULT,
  ServiceError,
} from '@answer-evidence/contracts';
import type { WorkspaceVault } from '@answer-evidence/ports';
import { formatCursor, parseCursor } from './cursor.ts';

/** The paging part of a query. */
export type PageAsked = {
  readonly page?: number | undefined;
  readonly size?: number | undefined;
  readonly cursor?: string | undefined;
};

/** Where a page begins: after an item, or so many items from the start. */
export type PagePlace = {
  readonly after: string | undefined;
  readonly offset: number;
  /** One more than the page shows, which tells whether there is another. */
  readonly limit: number;
  /** The page of what was found; `placeOf` names an item for the cursor. */
  envelope<Found, Item>(
    found: readonly Found[],
    total: number,
    placeOf: (one: Found) => string,
    present: (one: Found) => Item,
  ): Page<Item>;
};

/** The place of a page of a list, which `list` tells from every other. Throws `schema_violation`, `page_out_of_reach` or `cursor_not_valid`. */
export function readPage(vault: WorkspaceVault, list: JsonObject, asked: PageAsked): PagePlace {
  const { page: pageNumber, size = PAGE_SIZE_DEFAULT, cursor } = asked;
  if (cursor !== undefined && pageNumber !== undefined)
    throw refusal('schema_violation', '?page', 'must not be given together with cursor');
  if (pageNumber !== undefined && pageNumber * size > PAGE_REACH_MAX)
    throw refusal('page_out_of_reach', '?page', `page × size goes to ${PAGE_REACH_MAX}; go on with cursor`);
  const position = cursor === undefined ? undefined : parseCursor(vault, list, cursor);
  const page = position?.page ?? pageNumber ?? 1;
  return {
    after: position?.after,
    offset: position === undefined ? (page - 1) * size : 0,
    limit: size + 1,
    envelope(found, total, placeOf, present) {
      const shown = found.slice(0, size);
      const last = shown.at(-1);
      const isMore = found.length > size && last !== undefined;
      return {
        items: shown.map(present),
        page,
        size,
        total: Math.min(total, PAGE_REACH_MAX),
        total_relation: total > PAGE_REACH_MAX ? 'gte' : 'eq',
        next_cursor: isMore ? formatCursor(vault, list, { after: placeOf(last), page: page + 1 }) : null,
      };
    },
  };
}

function refusal(code: 'schema_violation' | 'page_out_of_reach', pointer: string, detail: string): ServiceError {
  return new ServiceError(code, detail, { errors: [{ pointer, detail }] });
}
