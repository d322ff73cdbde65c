import {
  type JsonObject,
  PAGE_REACH_MAX,
  PAGE_SIZE_DEFAULT,
  type Page,
  ServiceError,
} from '@answer-evidence/contracts';
import { formatCursor, type LeafPage, parseCursor, type WorkspaceVault } from '@answer-evidence/ports';

/** How a query pages. */
export type PageQuery = {
  readonly page?: number | undefined;
  readonly size?: number | undefined;
  readonly cursor?: string | undefined;
};

/** A page that was asked for: what to read, one item more than is shown, and what it is then shown as. */
export type AskedPage = LeafPage & {
  present<Stored extends { readonly leaf: { readonly leaf_index: number } }, Shown>(
    found: { readonly items: readonly Stored[]; readonly total: number; readonly totalIsExact: boolean },
    presentOne: (stored: Stored) => Shown,
  ): Page<Shown>;
};

/** A page of a list that is ordered by leaves, newest first. `list` tells this list from every other of the workspace. */
export function askPage(vault: WorkspaceVault, list: JsonObject, query: PageQuery): AskedPage {
  const { page: pageNumber, size = PAGE_SIZE_DEFAULT, cursor } = query;
  if (cursor !== undefined && pageNumber !== undefined)
    throw refusal('schema_violation', 'must not be given together with cursor');
  if (pageNumber !== undefined && pageNumber * size > PAGE_REACH_MAX)
    throw refusal('page_out_of_reach', `page × size goes to ${PAGE_REACH_MAX}; go on with cursor`);
  const position = cursor === undefined ? undefined : parseCursor(vault, list, cursor);
  const page = position?.page ?? pageNumber ?? 1;
  return {
    ...(position === undefined ? {} : { beforeLeaf: position.leaf }),
    offset: position === undefined ? (page - 1) * size : 0,
    limit: size + 1,
    present({ items, total, totalIsExact }, presentOne) {
      const shown = items.slice(0, size);
      const last = shown.at(-1);
      const more = items.length > size && last !== undefined;
      return {
        items: shown.map(presentOne),
        page,
        size,
        total,
        total_relation: totalIsExact ? 'eq' : 'gte',
        next_cursor: more ? formatCursor(vault, list, { leaf: last.leaf.leaf_index, page: page + 1 }) : null,
      };
    },
  };
}

function refusal(code: 'schema_violation' | 'page_out_of_reach', detail: string): ServiceError {
  return new ServiceError(code, detail, { errors: [{ pointer: '?page', detail }] });
}
