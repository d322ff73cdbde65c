import { actorOf, type UserCaller } from '@answer-evidence/access';
import { APPROVAL_RIGHTS } from '@answer-evidence/contracts/operations';
import { changesSince, refuseApprover } from '@answer-evidence/ledger';
import type { Approvers, StageDeps, WaitingApproval } from '@answer-evidence/ports';

/** Those of the requests that the caller could approve now, by the rule that an approval is decided by. */
export async function findApprovable(
  { approvals }: Pick<StageDeps, 'approvals'>,
  caller: UserCaller,
  requests: readonly WaitingApproval[],
): Promise<readonly WaitingApproval[]> {
  if (requests.length === 0) return [];
  const since = Math.min(...requests.map(({ requested_at: at }) => changesSince(at)));
  const approvers = await approvals.approvers(caller.workspaceId, since);
  return requests.filter((request) => mayApprove(approvers, caller, request));
}

function mayApprove(
  { members, changes }: Approvers,
  caller: UserCaller,
  { act, requested_by, requested_at }: WaitingApproval,
): boolean {
  const asked = {
    requester: { kind: 'user' as const, id: requested_by, token_id: null },
    askedAt: requested_at,
    right: APPROVAL_RIGHTS[act],
  };
  const since = changes.filter(({ at }) => at >= changesSince(requested_at));
  return refuseApprover(actorOf(caller), members, since, asked) === undefined;
}
