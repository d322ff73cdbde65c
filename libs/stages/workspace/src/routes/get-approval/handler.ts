import { isAllowed } from '@answer-evidence/access';
import { getApproval } from '@answer-evidence/contracts/operations';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { ApprovalDeps } from '../../approvals/deps.ts';
import { getStoredApproval } from '../../approvals/open-approval.ts';
import { toApprovalResource } from '../../approvals/to-approval-resource.ts';

/** `GET /api/approvals/{approval_id}`: one request, and what became of it. */
export function getApprovalRoute(deps: ApprovalDeps): Route {
  return defineRoute({
    ...getApproval,
    async handle({ params, caller }) {
      const workspace = await deps.directory.get(caller.workspaceId);
      const stored = await getStoredApproval(deps.approvals, workspace.id, params.approval_id);
      const shows = isAllowed(caller, 'approvals');
      return { status: 200, body: toApprovalResource(workspace, stored, deps.clock.nowMicros(), shows) };
    },
  });
}
