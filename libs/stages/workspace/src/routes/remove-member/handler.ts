import { actorOf } from '@answer-evidence/access';
import { ServiceError } from '@answer-evidence/contracts';
import { removeMember } from '@answer-evidence/contracts/operations';
import { createMemberCommand, ownActCommand } from '@answer-evidence/ledger';
import { newCoreIdentity } from '@answer-evidence/ports';
import { authenticatedUser, defineRoute, type Route } from '@answer-evidence/routes';
import type { WorkspaceDeps } from '../../deps.ts';
import { createVersionJudge } from '../../members/judge-version.ts';
import { planRevocations } from '../../members/plan-revocations.ts';

/** `DELETE /api/members/{member_id}`: ends a membership and every token of it. Once more changes nothing. */
export function removeMemberRoute(deps: WorkspaceDeps): Route {
  return defineRoute({
    ...removeMember,
    async handle(request) {
      const manager = authenticatedUser(request.caller);
      const { workspaceId } = manager;
      const memberId = request.params.member_id;
      if ((await deps.members.find(workspaceId, memberId)) === undefined)
        throw new ServiceError('not_found', 'no such member exists in this workspace; check the id');
      const actor = actorOf(manager);
      const judge = createVersionJudge(request.header('if-match'), undefined);
      // Prepared anew when a token came or went meanwhile: each revocation has its entry.
      await deps.ledger.append(workspaceId, async (settings) => {
        const revocations = await planRevocations(deps, workspaceId, memberId, actor);
        const identity = newCoreIdentity(deps);
        const of = { workspaceId, memberId, identity, actor };
        return ownActCommand(createMemberCommand(of, { kind: 'remove', revocations, judge }), {
          act: 'members',
          workspaceId,
          settings,
          requester: actor,
          identity: newCoreIdentity(deps),
        });
      });
      return { status: 204 };
    },
  });
}
