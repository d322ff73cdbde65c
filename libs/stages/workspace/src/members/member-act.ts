import { ServiceError } from '@answer-evidence/contracts';
import { createMemberCommand } from '@answer-evidence/ledger';
import { type ApprovableAct, newCoreIdentity } from '@answer-evidence/ports';
import type { WorkspaceDeps } from '../deps.ts';
import { createVersionJudge } from './judge-version.ts';
import { planRevocations } from './plan-revocations.ts';
import { readWantedAccess } from './wanted-access.ts';

/** Changes of members that somebody asked for. They fit while the member is as they were. */
export function createMemberAct(
  deps: Pick<WorkspaceDeps, 'administration' | 'members' | 'clock' | 'random'>,
): ApprovableAct {
  return {
    async pin(workspace, { member }) {
      if (member === undefined) throw new TypeError('a change of a member is asked for');
      readWantedAccess(member);
      const stored = await deps.members.find(workspace.id, member.member_id);
      if (stored === undefined)
        throw new ServiceError('not_found', 'no such member exists in this workspace; check the id');
      return { member: { ...member, version: member.version ?? stored.row.version } };
    },
    async prepare({ workspace, request: { member }, requester }) {
      if (member === undefined) throw new TypeError('a change of a member is asked for');
      const { member_id: memberId, change, version } = member;
      const revocations = await planRevocations(deps, workspace.id, memberId, requester);
      const judge = createVersionJudge(undefined, version);
      const of = { workspaceId: workspace.id, memberId, identity: newCoreIdentity(deps), actor: requester };
      if (change === 'remove') return createMemberCommand(of, { kind: 'remove', revocations, judge });
      const access = readWantedAccess(member);
      return createMemberCommand(of, {
        kind: 'change',
        judge,
        revocations,
        ...(change === 'disable' ? { disabled: true } : {}),
        ...(access === undefined ? {} : { access }),
      });
    },
  };
}
