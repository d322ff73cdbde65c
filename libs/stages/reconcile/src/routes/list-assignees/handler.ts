import { ASSIGNEES_MAX } from '@answer-evidence/contracts';
import { listAssignees } from '@answer-evidence/contracts/operations';
import { authenticatedUser, defineRoute, type Route } from '@answer-evidence/routes';
import type { ReconcileDeps } from '../../deps.ts';

/** `GET /api/reconciliations/assignees`: who can have a finding; names alone, for everybody who works on findings. */
export function listAssigneesRoute({ members }: Pick<ReconcileDeps, 'members'>): Route {
  return defineRoute({
    ...listAssignees,
    async handle({ caller }) {
      const { workspaceId } = authenticatedUser(caller);
      const found = await members.list(workspaceId, { offset: 0, limit: ASSIGNEES_MAX });
      const able = found.items.filter(({ row }) => row.disabled_at === null && row.removed_at === null);
      return { status: 200, body: { items: able.map(({ row: { id, username } }) => ({ id, username })) } };
    },
  });
}
