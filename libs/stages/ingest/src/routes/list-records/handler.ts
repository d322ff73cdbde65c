import { listAnswerRecords } from '@answer-evidence/contracts/operations';
import { askLeafPage, defineRoute, narrowed, readWindow, type Route } from '@answer-evidence/routes';
import type { IngestDeps } from '../../deps.ts';
import { toSummaryResource } from '../../resources/to-record-resource.ts';

/** `GET /api/answer-audit-logs`: records by review keys, newest first. */
export function listRecordsRoute(deps: IngestDeps): Route {
  return defineRoute({
    ...listAnswerRecords,
    async handle({ query, caller }) {
      const { page, size, cursor, ...wanted } = query;
      const filters = narrowed(readWindow(wanted), caller);
      const { vault, ...workspace } = await deps.directory.get(caller.workspaceId);
      const asked = askLeafPage(vault, { list: 'records', ...filters }, { page, size, cursor });
      const found = await deps.records.list(caller.workspaceId, filters, asked.page);
      return {
        status: 200,
        body: asked.show(found, (record) => toSummaryResource({ vault, ...workspace }, record)),
      };
    },
  });
}
