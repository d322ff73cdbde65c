import { appendTriageStep } from '@answer-evidence/contracts/operations';
import { authenticatedUser, defineRoute, type Route } from '@answer-evidence/routes';
import type { ReconcileDeps } from '../../deps.ts';
import { getFinding, replyWithFinding } from '../../triage/get-finding.ts';
import { takeStep } from '../../triage/take-step.ts';

/** `POST /api/reconciliations/runs/{run_id}/triage/{position}/steps`: assigns, comments, resolves, reopens, erases. */
export function appendTriageStepRoute(deps: ReconcileDeps): Route {
  return defineRoute({
    ...appendTriageStep,
    async handle(request) {
      const { run_id: runId, position } = request.params;
      const caller = authenticatedUser(request.caller);
      const workspace = await deps.directory.get(caller.workspaceId);
      await takeStep(deps, workspace, { caller, runId, position }, request.body, request.header('if-match'));
      return replyWithFinding(deps, workspace, runId, await getFinding(deps, caller, runId, position));
    },
  });
}
