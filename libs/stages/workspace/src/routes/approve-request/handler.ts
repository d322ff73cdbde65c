import { actorOf } from '@answer-evidence/access';
import { ServiceError } from '@answer-evidence/contracts';
import { approveRequest } from '@answer-evidence/contracts/operations';
import { createApprovedCommand } from '@answer-evidence/ledger';
import { authenticatedUser, defineRoute, openRequest, type Route } from '@answer-evidence/routes';
import { findAct } from '../../approvals/acts.ts';
import type { ApprovalDeps } from '../../approvals/deps.ts';
import { endOf, getStoredApproval } from '../../approvals/open-approval.ts';
import { toApprovalResource } from '../../approvals/to-approval-resource.ts';

/** `POST /api/approvals/{approval_id}/approve`: does what was asked for, and says who approved it, or does neither. */
export function approveRequestRoute(deps: ApprovalDeps): Route {
  return defineRoute({
    ...approveRequest,
    async handle({ params, caller }) {
      const user = authenticatedUser(caller);
      const workspace = await deps.directory.get(user.workspaceId);
      const actor = actorOf(user);
      await deps.ledger.append(workspace.id, async (settings) => {
        const stored = await getStoredApproval(deps.approvals, workspace.id, params.approval_id);
        const request = openRequest(workspace, stored);
        if (request === undefined)
          throw new ServiceError(
            'approval_not_open',
            `the request is no longer open: ${stored.row.state}; read it, and ask anew if still wanted`,
          );
        const { id } = stored.row;
        const second = { approval_id: id, approved_by: actor };
        const requester = stored.asked.actor;
        const command = await findAct(deps.acts, request).act.prepare({
          workspace,
          settings,
          request,
          requester,
          second,
        });
        return createApprovedCommand(endOf(deps, workspace.id, stored, actor), command);
      });
      const found = await getStoredApproval(deps.approvals, workspace.id, params.approval_id);
      return { status: 200, body: toApprovalResource(workspace, found, deps.clock.nowMicros(), true) };
    },
  });
}
