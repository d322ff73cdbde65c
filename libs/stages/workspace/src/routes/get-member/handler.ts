import * as z from 'zod';
import { anyUuid, member } from '@answer-evidence/contracts';
import { authenticated, defineRoute, type Route } from '@answer-evidence/routes';
import type { WorkspaceDeps } from '../../deps.ts';
import { formatMemberTag, getMember } from '../../members/to-member-resource.ts';

/** `GET /api/members/{member_id}`: a current or removed member. */
export function getMemberRoute(deps: WorkspaceDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/api/members/{member_id}',
    operationId: 'getMember',
    summary: 'Read a member',
    access: 'members.read',
    params: z.strictObject({ member_id: anyUuid }),
    responses: {
      200: {
        description: 'The member',
        schema: member,
        headers: { ETag: 'Version of the member, for If-Match' },
      },
      404: { description: 'No such member' },
    },
    async handle({ params, caller }) {
      const body = await getMember(deps, authenticated(caller).workspaceId, params.member_id);
      return { status: 200, headers: { ETag: formatMemberTag(body.version) }, body };
    },
  });
}
