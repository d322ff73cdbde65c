import { isAllowed } from '@answer-evidence/access';
import { uuid } from '@answer-evidence/contracts';
import { listReconciliationRuns } from '@answer-evidence/contracts/operations';
import { askPage, defineRoute, narrowed, type Route } from '@answer-evidence/routes';
import type { ReconcileDeps } from '../../deps.ts';
import { nameDamage } from '../../name-damage.ts';
import { toRunResource } from '../../resources/to-run-resource.ts';
import { countWork } from '../../triage/count-work.ts';

/** `GET /api/reconciliations/runs`: runs, newest first; for an application its own, for people with open work. */
export function listRunsRoute(deps: ReconcileDeps): Route {
  return defineRoute({
    ...listReconciliationRuns,
    async handle({ query, caller }) {
      const { application_key: wanted, environment, ...page } = query;
      const filters = narrowed({ application_key: wanted, environment }, caller);
      const workspace = await deps.directory.get(caller.workspaceId);
      const list = {
        list: 'runs',
        application_key: filters.application_key ?? null,
        environment: filters.environment ?? null,
      };
      const asked = askPage(workspace.vault, list, uuid, page);
      const span = { beforeId: asked.after, offset: asked.offset, limit: asked.limit };
      const found = await nameDamage(() => deps.reconciliations.list(workspace.id, filters, span));
      const workOf = isAllowed(caller, 'triage.read')
        ? countWork(
            await deps.triage.countOf(
              workspace.id,
              found.items.map(({ run }) => run.id),
              deps.clock.nowMicros(),
            ),
          )
        : undefined;
      return {
        status: 200,
        body: asked.show(
          found,
          ({ run }) => run.id,
          (stored) => ({
            ...toRunResource(workspace, stored),
            ...(workOf === undefined ? {} : { work: workOf(stored) }),
          }),
        ),
      };
    },
  });
}
