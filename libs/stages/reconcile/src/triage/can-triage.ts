import type { Belonging } from '@answer-evidence/contracts';
import { refuseMember } from '@answer-evidence/ledger';
import type { MemberStore } from '@answer-evidence/ports';

type Member = NonNullable<Awaited<ReturnType<MemberStore['find']>>>;

/** Whether a member can work on a finding: of the application and environment of its run, or of any. */
export function canTriage(member: Member, run?: Belonging): boolean {
  const actor = { kind: 'user', id: member.row.id, token_id: null } as const;
  return refuseMember(actor, [member], 'triage', run) === undefined;
}
