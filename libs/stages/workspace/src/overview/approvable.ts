import { actorOf, type UserCaller } from '@answer-evidence/access';
import { APPROVAL_RIGHTS } from '@answer-evidence/contracts/operations';
import { changesSince, type LogState, refuseApprover } from '@answer-evidence/ledger';
import type { StageDeps, WaitingApproval } from '@answer-evidence/ports';

/** Those of the requests that the caller could approve now, by the rule that an approval is decided by. */
export async function findApprovable(
  { ledger }: Pick<StageDeps, 'ledger'>,
  caller: UserCaller,
  requests: readonly WaitingApproval[],
): Promise<readonly WaitingApproval[]> {
  if (requests.length === 0) return [];
  const { workspaceId } = caller;
  let found: readonly WaitingApproval[] = [];
  await ledger.append(workspaceId, () => ({
    subject: workspaceId,
    entryIds: [],
    settingsVersion: null,
    reads: {
      members: true,
      memberChangesSince: Math.min(...requests.map(({ requested_at: at }) => changesSince(at))),
    },
    sizeBytes: 0,
    decide(view) {
      found = requests.filter((request) => mayApprove(view, caller, request));
      // Nothing is appended: it is decided as an approval is, by the members of the same moment.
      return { kind: 'replay', objectId: workspaceId };
    },
  }));
  return found;
}

function mayApprove(view: LogState, caller: UserCaller, { act, requested_by, requested_at }: WaitingApproval): boolean {
  const asked = {
    requester: { kind: 'user' as const, id: requested_by, token_id: null },
    askedAt: requested_at,
    right: APPROVAL_RIGHTS[act],
  };
  const changes = view.memberChanges().filter(({ at }) => at >= changesSince(requested_at));
  return refuseApprover(actorOf(caller), view.members(), changes, asked) === undefined;
}
