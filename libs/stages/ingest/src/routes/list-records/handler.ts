import { boundApplication } from '@answer-evidence/access';
import {
  PAGE_REACH_MAX,
  PAGE_SIZE_DEFAULT,
  pageOf,
  pageQuery,
  recordFilters,
  recordSummary,
  ServiceError,
} from '@answer-evidence/contracts';
import { defineRoute, formatCursor, parseCursor, type Route } from '@answer-evidence/ports';
import type { IngestParts } from '../../parts.ts';
import { presentSummary } from '../../present/present-record.ts';
import { assertTimes, narrowed } from './filters.ts';

/** `GET /api/answer-audit-logs`: records by review keys, newest first. */
export function listRecordsRoute(parts: IngestParts): Route {
  return defineRoute({
    method: 'GET',
    path: '/api/answer-audit-logs',
    operationId: 'listAnswerRecords',
    summary: 'List records, newest first',
    access: 'records.read',
    query: recordFilters.extend(pageQuery.shape),
    responses: { 200: { description: 'One page', schema: pageOf(recordSummary) } },
    async handle({ query, caller }) {
      if (caller === null) throw new ServiceError('unauthenticated', 'a token is needed');
      const { page: pageNumber, size = PAGE_SIZE_DEFAULT, cursor, ...wanted } = query;
      assertTimes(wanted);
      if (cursor !== undefined && pageNumber !== undefined)
        throw refusal('schema_violation', '?page', 'must not be given together with cursor');
      if (pageNumber !== undefined && pageNumber * size > PAGE_REACH_MAX)
        throw refusal('page_out_of_reach', '?page', `page × size goes to ${PAGE_REACH_MAX}; go on with cursor`);
      const filters = narrowed(wanted, boundApplication(caller));
      const { vault, ...workspace } = await parts.directory.get(caller.workspaceId);
      const position = cursor === undefined ? undefined : parseCursor(vault, filters, cursor);
      const page = position?.page ?? pageNumber ?? 1;
      const found = await parts.records.list(caller.workspaceId, filters, {
        ...(position === undefined ? {} : { beforeLeaf: position.leaf }),
        offset: position === undefined ? (page - 1) * size : 0,
        limit: size + 1,
      });
      const shown = found.records.slice(0, size);
      const last = shown.at(-1);
      const more = found.records.length > size && last !== undefined;
      return {
        status: 200,
        body: {
          items: shown.map((record) => presentSummary({ vault, ...workspace }, record)),
          page,
          size,
          total: found.total,
          total_relation: found.totalIsExact ? 'eq' : 'gte',
          next_cursor: more ? formatCursor(vault, filters, { leaf: last.leaf.leaf_index, page: page + 1 }) : null,
        },
      };
    },
  });
}

function refusal(code: 'schema_violation' | 'page_out_of_reach', pointer: string, detail: string): ServiceError {
  return new ServiceError(code, detail, { errors: [{ pointer, detail }] });
}
