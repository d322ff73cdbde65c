import { hashItem } from '@answer-evidence/commitments';
import { type RequestedAct, requestedAct, ServiceError } from '@answer-evidence/contracts';
import { APPROVAL_RIGHTS } from '@answer-evidence/contracts/operations';
import { parseJsonText } from '@answer-evidence/encoding';
import { type ApprovalEnd, expiryOf } from '@answer-evidence/ledger';
import {
  type ApprovalStore,
  type IdSource,
  newCoreIdentity,
  type StoredApproval,
  VaultError,
  type Workspace,
} from '@answer-evidence/ports';
import type { SealedApproval } from '@answer-evidence/tables';

/** The field that a request is sealed as. */
export const REQUEST_FIELD = 'approval-request';

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

/** What was asked for; undefined once the request has ended. Throws `content_damaged` where it was altered. */
export function openRequest(workspace: Workspace, { row, asked }: StoredApproval): RequestedAct | undefined {
  if (row.sealed.length === 0) return undefined;
  const { salt, request } = openSealed(workspace, row);
  if (hashItem(salt, request) !== asked.request_hash) throw damaged();
  return requestedAct.parse(parseJsonText(request));
}

function openSealed({ vault }: Workspace, row: StoredApproval['row']): SealedApproval {
  try {
    const opened = vault.openObjectKey(row.id, row.wrapped_key).open(REQUEST_FIELD, row.sealed);
    // Nobody else can have sealed it.
    return parseJsonText(opened) as SealedApproval;
  } catch (error) {
    if (error instanceof VaultError) throw damaged(error);
    throw error;
  }
}

function damaged(cause?: unknown): ServiceError {
  return new ServiceError('content_damaged', 'what was asked for was altered; run a ledger check, and ask anew', {
    remedy: 'give-up',
    cause,
  });
}
