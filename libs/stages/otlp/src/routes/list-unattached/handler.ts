import { assertApplication, boundApplication } from '@answer-evidence/access';
import {
  type OtlpUnattachedRow,
  PAGE_REACH_MAX,
  PAGE_SIZE_DEFAULT,
  pageOf,
  ServiceError,
  unattachedQuery,
  unattachedTrace,
  type UnattachedTrace,
} from '@answer-evidence/contracts';
import { formatTimestamp } from '@answer-evidence/encoding';
import { defineRoute, type Route } from '@answer-evidence/ports';
import type { OtlpParts } from '../../parts.ts';
import { formatCursor, parseCursor } from './cursor.ts';

/** `GET /api/answer-audit-logs/otel/unattached`: traces that were accepted and belong to no record, newest first. */
export function listUnattachedRoute(parts: Pick<OtlpParts, 'directory' | 'otlp'>): Route {
  return defineRoute({
    method: 'GET',
    path: '/api/answer-audit-logs/otel/unattached',
    operationId: 'listUnattachedTraces',
    summary: 'List traces that belong to no record, newest first',
    access: 'records.read',
    query: unattachedQuery,
    responses: { 200: { description: 'One page', schema: pageOf(unattachedTrace) } },
    async handle({ query, caller }) {
      if (caller === null) throw new ServiceError('unauthenticated', 'a token is needed');
      const { page: pageNumber, size = PAGE_SIZE_DEFAULT, cursor, ...given } = query;
      if (cursor !== undefined && pageNumber !== undefined)
        throw refusal('schema_violation', '?page', 'must not be given together with cursor');
      if (pageNumber !== undefined && pageNumber * size > PAGE_REACH_MAX)
        throw refusal('page_out_of_reach', '?page', `page × size goes to ${PAGE_REACH_MAX}; go on with cursor`);
      if (given.application_key !== undefined) assertApplication(caller, given.application_key);
      const bound = boundApplication(caller);
      const filters = { ...given, ...(bound === undefined ? {} : { application_key: bound }) };
      const { vault } = await parts.directory.get(caller.workspaceId);
      const position = cursor === undefined ? undefined : parseCursor(vault, cursor);
      const page = position?.page ?? pageNumber ?? 1;
      const found = await parts.otlp.listUnattached(caller.workspaceId, filters, {
        ...(position === undefined ? {} : { after: { unattachedAt: position.at, id: position.id } }),
        offset: position === undefined ? (page - 1) * size : 0,
        limit: size + 1,
      });
      const shown = found.items.slice(0, size);
      const last = shown.at(-1);
      const more = found.items.length > size && last !== undefined;
      return {
        status: 200,
        body: {
          items: shown.map(present),
          page,
          size,
          total: found.total,
          total_relation: found.totalIsExact ? 'eq' : 'gte',
          next_cursor: more ? formatCursor(vault, { at: last.unattached_at, id: last.id, page: page + 1 }) : null,
        },
      };
    },
  });
}

function present(row: OtlpUnattachedRow): UnattachedTrace {
  return {
    id: row.id,
    application_key: row.application_key,
    environment: row.environment,
    idempotency_key: row.idempotency_key,
    signal: row.signal,
    trace_id: row.trace_id === '' ? null : row.trace_id,
    span_id: row.span_id === '' ? null : row.span_id,
    reason: row.reason,
    answer_log_id: row.record_id,
    received_at: formatTimestamp(row.received_at),
    unattached_at: formatTimestamp(row.unattached_at),
  };
}

function refusal(code: 'schema_violation' | 'page_out_of_reach', pointer: string, detail: string): ServiceError {
  return new ServiceError(code, detail, { errors: [{ pointer, detail }] });
}
