import {
  deadLetter,
  PAGE_REACH_MAX,
  PAGE_SIZE_DEFAULT,
  pageOf,
  pageQuery,
  ServiceError,
} from '@answer-evidence/contracts';
import { defineRoute, type Route } from '@answer-evidence/ports';
import { authenticated } from '../../authenticated.ts';
import type { WorkspaceParts } from '../../parts.ts';
import { formatCursor, parseCursor } from './cursor.ts';
import { presentDeadLetter } from './present-dead-letter.ts';

/** `GET /api/dead-letters`: jobs that were given up and not replayed since, last failed first. */
export function listDeadLettersRoute(parts: WorkspaceParts): Route {
  return defineRoute({
    method: 'GET',
    path: '/api/dead-letters',
    operationId: 'listDeadLetters',
    summary: 'List background jobs that were given up, last failed first',
    access: 'deadletters',
    query: pageQuery,
    responses: { 200: { description: 'One page', schema: pageOf(deadLetter) } },
    async handle({ query, caller }) {
      const { workspaceId } = authenticated(caller);
      const { page: pageNumber, size = PAGE_SIZE_DEFAULT, cursor } = query;
      if (cursor !== undefined && pageNumber !== undefined)
        throw refusal('schema_violation', '?page', 'must not be given together with cursor');
      if (pageNumber !== undefined && pageNumber * size > PAGE_REACH_MAX)
        throw refusal('page_out_of_reach', '?page', `page × size goes to ${PAGE_REACH_MAX}; go on with cursor`);
      const { vault } = await parts.directory.get(workspaceId);
      const position = cursor === undefined ? undefined : parseCursor(vault, cursor);
      const page = position?.page ?? pageNumber ?? 1;
      const found = await parts.deadLetters.list(workspaceId, {
        ...(position === undefined ? {} : { after: { failedAt: position.failed_at, id: position.id } }),
        offset: position === undefined ? (page - 1) * size : 0,
        limit: size + 1,
      });
      const shown = found.items.slice(0, size);
      const last = shown.at(-1);
      const more = found.items.length > size && last !== undefined;
      return {
        status: 200,
        body: {
          items: shown.map(presentDeadLetter),
          page,
          size,
          total: found.total,
          total_relation: found.totalIsExact ? 'eq' : 'gte',
          next_cursor: more ? formatCursor(vault, { failed_at: last.failed_at, id: last.id, page: page + 1 }) : null,
        },
      };
    },
  });
}

function refusal(code: 'schema_violation' | 'page_out_of_reach', pointer: string, detail: string): ServiceError {
  return new ServiceError(code, detail, { errors: [{ pointer, detail }] });
}
