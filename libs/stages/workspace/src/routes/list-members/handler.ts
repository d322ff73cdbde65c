import * as z from 'zod';
import { listMembers } from '@answer-evidence/contracts/operations';
import { formatTimestamp } from '@answer-evidence/encoding';
import { askPage, defineRoute, type Route } from '@answer-evidence/routes';
import type { WorkspaceDeps } from '../../deps.ts';
import { toMemberResource } from '../../members/to-member-resource.ts';

const PLACE = z.strictObject({ username: z.string() });

/** `GET /api/members`: everybody who is or was a member, by name. */
export function listMembersRoute(deps: WorkspaceDeps): Route {
  return defineRoute({
    ...listMembers,
    async handle({ query, caller }) {
      const { workspaceId } = caller;
      const now = deps.clock.nowMicros();
      const { vault } = await deps.directory.get(workspaceId);
      const asked = askPage(vault, { list: 'members' }, PLACE, query);
      const { after, offset, limit } = asked;
      const found = await deps.members.list(workspaceId, {
        ...(after === undefined ? {} : { after: after.username }),
        offset,
        limit,
      });
      const ids = found.items.map(({ row }) => row.id);
      const uses = await deps.members.lastUses(workspaceId, ids);
      return {
        status: 200,
        body: asked.show(
          found,
          ({ row }) => ({ username: row.username }),
          (one) => {
            const at = uses.get(one.row.id);
            return { ...toMemberResource(one, now), last_used_at: at === undefined ? null : formatTimestamp(at) };
          },
        ),
      };
    },
  });
}
