import * as z from 'zod';
import { type UnattachedTrace, uuid } from '@answer-evidence/contracts';
import { listUnattachedTraces } from '@answer-evidence/contracts/operations';
import { formatTimestamp } from '@answer-evidence/encoding';
import { askPage, defineRoute, narrowed, type Route } from '@answer-evidence/routes';
import type { OtlpUnattachedRow } from '@answer-evidence/tables';
import type { OtlpDeps } from '../../deps.ts';

const PLACE = z.strictObject({ at: z.int().nonnegative(), id: uuid });

/** `GET /api/answer-audit-logs/otel/unattached`: traces that were accepted and belong to no record, newest first. */
export function listUnattachedRoute(deps: Pick<OtlpDeps, 'directory' | 'otlp'>): Route {
  return defineRoute({
    ...listUnattachedTraces,
    async handle({ query, caller }) {
      const { page, size, cursor, ...given } = query;
      const filters = narrowed(given, caller);
      const { vault } = await deps.directory.get(caller.workspaceId);
      const asked = askPage(vault, { list: 'unattached', ...filters }, PLACE, { page, size, cursor });
      const { after, offset, limit } = asked;
      const found = await deps.otlp.listUnattached(caller.workspaceId, filters, {
        ...(after === undefined ? {} : { after: { unattachedAt: after.at, id: after.id } }),
        offset,
        limit,
      });
      return {
        status: 200,
        body: asked.show(found, ({ unattached_at: at, id }) => ({ at, id }), toUnattachedResource),
      };
    },
  });
}

function toUnattachedResource(row: OtlpUnattachedRow): UnattachedTrace {
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
