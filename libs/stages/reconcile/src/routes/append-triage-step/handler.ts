import { findingTriage, triageStepRequest } from '@answer-evidence/contracts';
import { authenticatedUser, defineRoute, type Route } from '@answer-evidence/routes';
import type { ReconcileDeps } from '../../deps.ts';
import { getFinding, replyWithFinding } from '../../triage/get-finding.ts';
import { takeStep } from '../../triage/take-step.ts';
import { findingParams } from '../get-triage/handler.ts';

/** `POST /api/reconciliations/runs/{run_id}/triage/{position}/steps`: assigns, comments, resolves, reopens, erases. */
export function appendTriageStepRoute(deps: ReconcileDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/api/reconciliations/runs/{run_id}/triage/{position}/steps',
    operationId: 'appendTriageStep',
    summary: 'Assign, comment, resolve or reopen a finding, or erase a comment',
    access: 'triage',
    params: findingParams,
    body: triageStepRequest,
    responses: {
      200: {
        description: 'The finding, and every step, the new one last',
        schema: findingTriage,
        headers: { ETag: 'Version of the work, for If-Match' },
      },
      404: { description: 'No such run, or it has no finding at this position' },
      409: { description: 'The state does not permit the step, or `version` in the body is not the current one' },
      412: { description: 'If-Match names another version' },
    },
    async handle(request) {
      const { run_id: runId, position } = request.params;
      const caller = authenticatedUser(request.caller);
      const workspace = await deps.directory.get(caller.workspaceId);
      await takeStep(deps, workspace, { caller, runId, position }, request.body, request.header('if-match'));
      return replyWithFinding(deps, workspace, runId, await getFinding(deps, caller, runId, position));
    },
  });
}
