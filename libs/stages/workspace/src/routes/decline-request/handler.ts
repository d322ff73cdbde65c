import { declineRequest } from '@answer-evidence/contracts/operations';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { ApprovalDeps } from '../../approvals/deps.ts';
import { endApproval } from '../../approvals/end-approval.ts';

/** `POST /api/approvals/{approval_id}/decline`: says no to what somebody else asked for. */
export function declineRequestRoute(deps: ApprovalDeps): Route {
  return defineRoute({
    ...declineRequest,
    handle: async ({ params, caller }) => endApproval(deps, caller, params.approval_id, 'declined'),
  });
}
