import { ServiceError } from '@answer-evidence/contracts';
import { APPROVAL_RIGHTS } from '@answer-evidence/contracts/operations';
import { type ApprovalEnd, expiryOf } from '@answer-evidence/ledger';
import { type ApprovalStore, type IdSource, newCoreIdentity, type StoredApproval } from '@answer-evidence/ports';

/** A request of the workspace. Throws `not_found`. */
export async function getStoredApproval(
  approvals: ApprovalStore,
  workspaceId: string,
  approvalId: string,
): Promise<StoredApproval> {
  const stored = await approvals.find(workspaceId, approvalId);
  if (stored !== undefined) return stored;
  throw new ServiceError('not_found', 'no such request for approval exists in this workspace; check its id');
}

/** How a request ends by what this person does. Who asked, for what and until when is what its entry says. */
export function endOf(
  source: IdSource,
  workspaceId: string,
  { row, asked }: StoredApproval,
  actor: ApprovalEnd['actor'],
): ApprovalEnd {
  return {
    workspaceId,
    row: { ...row, act: asked.act, expires_at: expiryOf(asked) },
    requester: asked.actor,
    askedAt: row.requested_at,
    right: APPROVAL_RIGHTS[asked.act],
    identity: newCoreIdentity(source),
    actor,
  };
}
