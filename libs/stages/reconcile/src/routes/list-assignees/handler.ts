import { ASSIGNEES_MAX } from '@answer-evidence/contracts';
import { listAssignees } from '@answer-evidence/contracts/operations';
import { authenticatedUser, defineRoute, type Route } from '@answer-evidence/routes';
import type { ReconcileDeps } from '../../deps.ts';
import { getRun } from '../../find-run.ts';
import { canTriage } from '../../triage/can-triage.ts';

/** `GET /api/reconciliations/assignees`: who can have a finding; names alone, for everybody who works on findings. */
export function listAssigneesRoute(deps: Pick<ReconcileDeps, 'members' | 'reconciliations'>): Route {
  return defineRoute({
    ...listAssignees,
    async handle({ caller: sentBy, query }) {
      const caller = authenticatedUser(sentBy);
      const stored = query.run_id === undefined ? undefined : await getRun(deps, caller, query.run_id);
      const found = await deps.members.list(caller.workspaceId, { offset: 0, limit: ASSIGNEES_MAX });
      const able = found.items.filter((member) => canTriage(member, stored?.run));
      return { status: 200, body: { items: able.map(({ row: { id, username } }) => ({ id, username })) } };
    },
  });
}
