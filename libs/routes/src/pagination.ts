import * as z from 'zod';
import {
  type JsonObject,
  type JsonValue,
  type Page,
  PAGE_REACH_MAX,
  PAGE_SIZE_DEFAULT,
  ServiceError,
} from '@answer-evidence/contracts';
import type { FoundPage, LeafPage } from '@answer-evidence/ports';
import { type CursorVault, formatCursor, parseCursorOf } from './cursor.ts';

/** How a query pages. */
type PageQuery = {
  readonly page?: number | undefined;
  readonly size?: number | undefined;
  readonly cursor?: string | undefined;
};

/** A page that was asked for: what to read, and what it is then shown as. */
type AskedPage<Place> = {
  /** The place of the last item before the page; undefined where it is counted from the start. */
  readonly after: Place | undefined;
  readonly offset: number;
  /** One more than the page shows, which tells whether there is another. */
  readonly limit: number;
  readonly show: <Found, Item>(
    found: FoundPage<Found>,
    placeOf: (one: Found) => Place,
    toItem: (one: Found) => Item,
  ) => Page<Item>;
};

/**
 * The page of a list that a query asks for. `list` tells it from every other list of the workspace, filters included;
 * `place` is the form of what names an item in its order. Throws `schema_violation`, `page_out_of_reach` or
 * `cursor_not_valid`.
 */
export function askPage<Place extends JsonValue>(
  vault: CursorVault,
  list: JsonObject,
  place: z.ZodType<Place>,
  query: PageQuery,
): AskedPage<Place> {
  const { page: pageNumber, size = PAGE_SIZE_DEFAULT, cursor } = query;
  if (cursor !== undefined && pageNumber !== undefined)
    throw refusal('schema_violation', 'must not be given together with cursor');
  if (pageNumber !== undefined && pageNumber * size > PAGE_REACH_MAX)
    throw refusal('page_out_of_reach', `page × size must be at most ${PAGE_REACH_MAX}; continue with next_cursor`);
  const position =
    cursor === undefined
      ? undefined
      : parseCursorOf(z.strictObject({ after: place, page: z.int().positive() }), vault, list, cursor);
  const page = position?.page ?? pageNumber ?? 1;
  return {
    after: position?.after,
    offset: position === undefined ? (page - 1) * size : 0,
    limit: size + 1,
    show({ items, total, totalIsExact }, placeOf, toItem) {
      const shown = items.slice(0, size);
      const last = shown.at(-1);
      const isMore = items.length > size && last !== undefined;
      return {
        items: shown.map(toItem),
        page,
        size,
        total,
        total_relation: totalIsExact ? 'eq' : 'gte',
        next_cursor: isMore ? formatCursor(vault, list, { after: placeOf(last), page: page + 1 }) : null,
      };
    },
  };
}

const leafPlace = z.int().nonnegative();

type WithLeaf = { readonly leaf: { readonly leaf_index: number } };

/** The page of a list that is ordered by leaves, newest first: what to read, and what it is then shown as. */
type AskedLeafPage = {
  readonly page: LeafPage;
  readonly show: <Found extends WithLeaf, Item>(found: FoundPage<Found>, toItem: (one: Found) => Item) => Page<Item>;
};

/** As `askPage`, of a list whose items each have a leaf. */
export function askLeafPage(vault: CursorVault, list: JsonObject, query: PageQuery): AskedLeafPage {
  const { after, offset, limit, show } = askPage(vault, list, leafPlace, query);
  return {
    page: { ...(after === undefined ? {} : { beforeLeaf: after }), offset, limit },
    show: (found, toItem) => show(found, ({ leaf }) => leaf.leaf_index, toItem),
  };
}

function refusal(code: 'schema_violation' | 'page_out_of_reach', detail: string): ServiceError {
  return new ServiceError(code, detail, { errors: [{ pointer: '?page', detail }] });
}
