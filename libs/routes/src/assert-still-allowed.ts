import { actorOf, type Caller } from '@answer-evidence/access';
import type { Belonging } from '@answer-evidence/contracts';
import type { Right } from '@answer-evidence/contracts/operations';
import { refuseMember } from '@answer-evidence/ledger';
import type { MemberStore } from '@answer-evidence/ports';

/**
 * Throws where a person may no longer do this, as the database has them now: the memory of their token may be some
 * seconds old. For writes beside the log; `guardCommand` decides about those of the log.
 */
export async function assertStillAllowed(
  { members }: { readonly members: Pick<MemberStore, 'find'> },
  caller: Caller,
  right: Right,
  of?: Belonging,
): Promise<void> {
  if (caller.kind !== 'user') return;
  const member = await members.find(caller.workspaceId, caller.userId);
  const refusal = member === undefined ? undefined : refuseMember(actorOf(caller), [member], right, of);
  if (refusal !== undefined) throw refusal;
}
