import { getMember as operation } from '@answer-evidence/contracts/operations';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { WorkspaceDeps } from '../../deps.ts';
import { formatMemberTag, getMember } from '../../members/to-member-resource.ts';

/** `GET /api/members/{member_id}`: a current or removed member. */
export function getMemberRoute(deps: WorkspaceDeps): Route {
  return defineRoute({
    ...operation,
    async handle({ params, caller }) {
      const body = await getMember(deps, caller.workspaceId, params.member_id);
      return { status: 200, headers: { ETag: formatMemberTag(body.version) }, body };
    },
  });
}
