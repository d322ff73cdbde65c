import { actorOf } from '@answer-evidence/access';
import { createMember } from '@answer-evidence/contracts/operations';
import { createMemberCommand } from '@answer-evidence/ledger';
import { newCoreIdentity, newId } from '@answer-evidence/ports';
import { authenticatedUser, defineRoute, type Route } from '@answer-evidence/routes';
import { linkBaseOf, type WorkspaceDeps } from '../../deps.ts';
import { makePasswordLink } from '../../members/password-link.ts';
import { replyWithMember } from '../../members/to-member-resource.ts';
import { readWantedAccess } from '../../members/wanted-access.ts';

/** `POST /api/members`: adds a member, who sets their password by the link in the answer. */
export function createMemberRoute(deps: WorkspaceDeps): Route {
  return defineRoute({
    ...createMember,
    async handle({ body, caller }) {
      const manager = authenticatedUser(caller);
      const workspace = await deps.directory.get(manager.workspaceId);
      const access = readWantedAccess(body) ?? { role: 'member', access_json: null };
      const memberId = newId(deps);
      const identity = newCoreIdentity(deps);
      const link = makePasswordLink(deps, workspace, linkBaseOf(deps, workspace), { memberId, entryId: identity.id });
      const command = createMemberCommand(
        { workspaceId: workspace.id, memberId, identity, actor: actorOf(manager) },
        {
          kind: 'add',
          username: body.username,
          ...access,
          link: link.row,
          ...(deps.membersMax === undefined ? {} : { membersMax: deps.membersMax }),
        },
      );
      await deps.ledger.append(workspace.id, () => command);
      const reply = await replyWithMember(deps, workspace.id, memberId, { status: 201, link: link.shown });
      return { ...reply, headers: { ...reply.headers, Location: `/api/members/${memberId}` } };
    },
  });
}
