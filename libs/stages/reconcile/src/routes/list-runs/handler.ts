import { assertApplication, boundApplication } from '@answer-evidence/access';
import { key, pageQuery, reconciliationRunList, uuid } from '@answer-evidence/contracts';
import { defineRoute, type Route } from '@answer-evidence/ports';
import { authenticated } from '../../authenticated.ts';
import { readPage } from '../../paging/read-page.ts';
import type { ReconcileParts } from '../../parts.ts';
import { presentRun } from '../../present/present-run.ts';

/** `GET /api/reconciliations/runs`: runs, newest first; for an application its own. */
export function listRunsRoute(parts: ReconcileParts): Route {
  return defineRoute({
    method: 'GET',
    path: '/api/reconciliations/runs',
    operationId: 'listReconciliationRuns',
    summary: 'List runs, newest first',
    access: 'reconciliations',
    query: pageQuery.extend({ application_key: key.optional(), environment: key.optional() }),
    responses: { 200: { description: 'One page', schema: reconciliationRunList } },
    async handle({ query, caller: sentBy }) {
      const caller = authenticated(sentBy);
      const { application_key: asked, environment, ...page } = query;
      if (asked !== undefined) assertApplication(caller, asked);
      const filters = { application_key: asked ?? boundApplication(caller), environment };
      const workspace = await parts.directory.get(caller.workspaceId);
      const list = { runs: filters.application_key ?? null, environment: environment ?? null };
      const place = readPage(workspace.vault, list, page);
      const found = await parts.reconciliations.list(workspace.id, filters, {
        beforeId: place.after === undefined ? undefined : uuid.parse(place.after),
        offset: place.offset,
        limit: place.limit,
      });
      const total = found.total + (found.totalIsExact ? 0 : 1);
      return {
        status: 200,
        body: place.envelope(
          found.runs,
          total,
          ({ run }) => run.id,
          (stored) => presentRun(workspace, stored),
        ),
      };
    },
  });
}
