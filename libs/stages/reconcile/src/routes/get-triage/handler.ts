import * as z from 'zod';
import { anyUuid, decimal, findingTriage } from '@answer-evidence/contracts';
import { authenticated, defineRoute, type Route } from '@answer-evidence/routes';
import type { ReconcileDeps } from '../../deps.ts';
import { getFinding, replyWithFinding } from '../../triage/get-finding.ts';

/** Where a finding is: a run, and a place in the order of its findings. */
export const findingParams = z.strictObject({ run_id: anyUuid, position: decimal(0, 2_147_483_647) });

/** `GET /api/reconciliations/runs/{run_id}/triage/{position}`: a finding, and every step of the work on it. */
export function getTriageRoute(deps: ReconcileDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/api/reconciliations/runs/{run_id}/triage/{position}',
    operationId: 'getFindingTriage',
    summary: 'Read the work on a finding',
    access: 'triage',
    params: findingParams,
    responses: {
      200: {
        description: 'The finding, and every step, oldest first',
        schema: findingTriage,
        headers: { ETag: 'Version of the work, for If-Match' },
      },
      404: { description: 'No such run, or it has no finding at this position' },
      409: { description: 'The run is not completed yet' },
    },
    async handle({ params, caller: sentBy }) {
      const caller = authenticated(sentBy);
      const workspace = await deps.directory.get(caller.workspaceId);
      return replyWithFinding(
        deps,
        workspace,
        params.run_id,
        await getFinding(deps, caller, params.run_id, params.position),
      );
    },
  });
}
