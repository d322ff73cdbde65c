import * as z from 'zod';
import { anyUuid, reconciliationRun } from '@answer-evidence/contracts';
import { authenticated, defineRoute, type Route } from '@answer-evidence/routes';
import type { ReconcileDeps } from '../../deps.ts';
import { getRun } from '../../find-run.ts';
import { toRunResource } from '../../resources/to-run-resource.ts';

/** `GET /api/reconciliations/runs/{run_id}`: how far a run has come, and its counts when it is completed. */
export function getRunRoute(deps: ReconcileDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/api/reconciliations/runs/{run_id}',
    operationId: 'getReconciliationRun',
    summary: 'Read a run',
    access: 'reconciliations',
    params: z.strictObject({ run_id: anyUuid }),
    responses: {
      200: { description: 'The run', schema: reconciliationRun },
      404: { description: 'No such run' },
    },
    async handle({ params, caller: sentBy }) {
      const caller = authenticated(sentBy);
      const workspace = await deps.directory.get(caller.workspaceId);
      return { status: 200, body: toRunResource(workspace, await getRun(deps, caller, params.run_id)) };
    },
  });
}
