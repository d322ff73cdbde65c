import { withdrawRequest } from '@answer-evidence/contracts/operations';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { ApprovalDeps } from '../../approvals/deps.ts';
import { endApproval } from '../../approvals/end-approval.ts';

/** `POST /api/approvals/{approval_id}/withdraw`: takes back what one asked for oneself. */
export function withdrawRequestRoute(deps: ApprovalDeps): Route {
  return defineRoute({
    ...withdrawRequest,
    handle: async ({ params, caller }) => endApproval(deps, caller, params.approval_id, 'withdrawn'),
  });
}
