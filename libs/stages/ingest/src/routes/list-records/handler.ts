import { listAnswerRecords } from '@answer-evidence/contracts/operations';
import {
  askPage,
  authenticated,
  defineRoute,
  leafIndexOf,
  leafPageOf,
  leafPlace,
  narrowed,
  readWindow,
  type Route,
} from '@answer-evidence/routes';
import type { IngestDeps } from '../../deps.ts';
import { toSummaryResource } from '../../resources/to-record-resource.ts';

/** `GET /api/answer-audit-logs`: records by review keys, newest first. */
export function listRecordsRoute(deps: IngestDeps): Route {
  return defineRoute({
    ...listAnswerRecords,
    async handle({ query, caller: sentBy }) {
      const caller = authenticated(sentBy);
      const { page, size, cursor, ...wanted } = query;
      const filters = narrowed(readWindow(wanted), caller);
      const { vault, ...workspace } = await deps.directory.get(caller.workspaceId);
      const asked = askPage(vault, { list: 'records', ...filters }, leafPlace, { page, size, cursor });
      const { records: items, ...counted } = await deps.records.list(caller.workspaceId, filters, leafPageOf(asked));
      return {
        status: 200,
        body: asked.show({ items, ...counted }, leafIndexOf, (record) =>
          toSummaryResource({ vault, ...workspace }, record),
        ),
      };
    },
  });
}
