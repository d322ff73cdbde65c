import { memberList } from '@answer-evidence/contracts';
import { authenticated, defineRoute, type Route } from '@answer-evidence/routes';
import type { WorkspaceDeps } from '../../deps.ts';
import { toMemberResource } from '../../members/to-member-resource.ts';

/** `GET /api/members`: everybody who is or was a member, by name. */
export function listMembersRoute(deps: WorkspaceDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/api/members',
    operationId: 'listMembers',
    summary: 'List current and removed members',
    access: 'members.read',
    responses: { 200: { description: 'All members, by name', schema: memberList } },
    async handle({ caller }) {
      const now = deps.clock.nowMicros();
      const stored = await deps.members.list(authenticated(caller).workspaceId);
      return { status: 200, body: { items: stored.map((one) => toMemberResource(one, now)) } };
    },
  });
}
