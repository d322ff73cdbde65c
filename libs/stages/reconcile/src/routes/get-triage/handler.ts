import { getFindingTriage } from '@answer-evidence/contracts/operations';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { ReconcileDeps } from '../../deps.ts';
import { getFinding, replyWithFinding } from '../../triage/get-finding.ts';

/** `GET /api/reconciliations/runs/{run_id}/triage/{position}`: a finding, and every step of the work on it. */
export function getTriageRoute(deps: ReconcileDeps): Route {
  return defineRoute({
    ...getFindingTriage,
    async handle({ params, caller }) {
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
