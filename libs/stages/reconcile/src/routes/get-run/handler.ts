import { getReconciliationRun } from '@answer-evidence/contracts/operations';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { ReconcileDeps } from '../../deps.ts';
import { getRun } from '../../find-run.ts';
import { toRunResource } from '../../resources/to-run-resource.ts';

/** `GET /api/reconciliations/runs/{run_id}`: how far a run has come, and its counts when it is completed. */
export function getRunRoute(deps: ReconcileDeps): Route {
  return defineRoute({
    ...getReconciliationRun,
    async handle({ params, caller }) {
      const workspace = await deps.directory.get(caller.workspaceId);
      return { status: 200, body: toRunResource(workspace, await getRun(deps, caller, params.run_id)) };
    },
  });
}
