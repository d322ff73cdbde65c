import { actorOf, type Caller } from '@answer-evidence/access';
import { createApprovalEndCommand } from '@answer-evidence/ledger';
import { authenticatedUser, type RouteReply } from '@answer-evidence/routes';
import type { ApprovalDeps } from './deps.ts';
import { endOf, getStoredApproval } from './open-approval.ts';
import { toApprovalResource } from './to-approval-resource.ts';

/** Ends a request without doing what it asks for, and shows it. */
export async function endApproval(
  deps: ApprovalDeps,
  caller: Caller,
  approvalId: string,
  decision: 'declined' | 'withdrawn',
): Promise<RouteReply> {
  const user = authenticatedUser(caller);
  const workspace = await deps.directory.get(user.workspaceId);
  await deps.ledger.append(workspace.id, async () => {
    const stored = await getStoredApproval(deps.approvals, workspace.id, approvalId);
    return createApprovalEndCommand(endOf(deps, workspace.id, stored, actorOf(user)), decision);
  });
  const found = await getStoredApproval(deps.approvals, workspace.id, approvalId);
  return { status: 200, body: toApprovalResource(workspace, found, deps.clock.nowMicros(), true) };
}
