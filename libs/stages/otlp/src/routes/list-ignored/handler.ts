import * as z from 'zod';
import { type IgnoredItems, uuid } from '@answer-evidence/contracts';
import { listIgnoredItems } from '@answer-evidence/contracts/operations';
import { formatTimestamp, parseJsonText } from '@answer-evidence/encoding';
import { isOutside, isReadName } from '@answer-evidence/otlp-mapping';
import { askPage, defineRoute, narrowed, type Route } from '@answer-evidence/routes';
import type { OtlpIgnoredRow } from '@answer-evidence/tables';
import type { OtlpDeps } from '../../deps.ts';

const PLACE = z.strictObject({ at: z.int().nonnegative(), id: uuid });
const NAMES = z.array(z.string());

/** `GET /api/answer-audit-logs/otel/ignored`: what was accepted and left no record, counted, last seen first. */
export function listIgnoredRoute(deps: Pick<OtlpDeps, 'directory' | 'otlp'>): Route {
  return defineRoute({
    ...listIgnoredItems,
    async handle({ query, caller }) {
      const { page, size, cursor, ...given } = query;
      const filters = narrowed(given, caller);
      const { vault } = await deps.directory.get(caller.workspaceId);
      const asked = askPage(vault, { list: 'ignored', ...filters }, PLACE, { page, size, cursor });
      const { after, offset, limit } = asked;
      const found = await deps.otlp.listIgnored(caller.workspaceId, filters, {
        ...(after === undefined ? {} : { after: { lastSeenAt: after.at, id: after.id } }),
        offset,
        limit,
      });
      return {
        status: 200,
        body: asked.show(found, ({ last_seen_at: at, id }) => ({ at, id }), toIgnoredResource),
      };
    },
  });
}

function toIgnoredResource(row: OtlpIgnoredRow): IgnoredItems {
  const names = NAMES.parse(parseJsonText(row.attribute_names));
  return {
    id: row.id,
    application_key: row.application_key,
    scope_name: row.scope_name,
    reason: row.reason,
    detail: row.detail === '' ? null : row.detail,
    item_count: row.item_count,
    first_seen_at: formatTimestamp(row.first_seen_at),
    last_seen_at: formatTimestamp(row.last_seen_at),
    last_trace_id: row.trace_id === '' ? null : row.trace_id,
    last_span_id: row.span_id === '' ? null : row.span_id,
    last_attribute_names: names,
    last_read_names: names.filter((name) => isReadName(name, !isOutside(row.reason))),
  };
}
