import * as z from 'zod';
import { PAGE_REACH_MAX } from '@answer-evidence/contracts';
import { listFindingTriage } from '@answer-evidence/contracts/operations';
import { askPage, authenticatedUser, defineRoute, type Route } from '@answer-evidence/routes';
import type { ReconcileDeps } from '../../deps.ts';
import { getCompletedRun } from '../../find-run.ts';
import { nameDamage } from '../../name-damage.ts';
import { countTriage } from '../../triage/count-triage.ts';
import { toTriagedFinding } from '../../triage/to-triage-resource.ts';

/** `GET /api/reconciliations/runs/{run_id}/triage`: findings with the work on them, and how many are in which state. */
export function listTriageRoute(deps: ReconcileDeps): Route {
  return defineRoute({
    ...listFindingTriage,
    async handle({ params, query, caller: sentBy }) {
      const caller = authenticatedUser(sentBy);
      const { vault, id: workspaceId } = await deps.directory.get(caller.workspaceId);
      const { type, state, assignee, ...page } = query;
      const assigneeId = assignee === 'me' ? caller.userId : assignee === 'none' ? null : assignee;
      const filters = { type, state, assigneeId };
      const { run, completion } = await getCompletedRun(deps, caller, params.run_id);
      const list = { list: 'triage', run_id: run.id, type: type ?? null, state: state ?? null };
      const asked = askPage(vault, { ...list, assignee: assigneeId ?? assignee ?? null }, z.int().nonnegative(), page);
      const from = asked.after === undefined ? 0 : asked.after + 1;
      const span = { from, offset: asked.offset, limit: asked.limit };
      const { items, groups } = await nameDamage(() => deps.triage.list(workspaceId, run.id, filters, span));
      const { matching, counts } = countTriage(completion.core.counts, groups, filters);
      const counted = { total: Math.min(matching, PAGE_REACH_MAX), totalIsExact: matching <= PAGE_REACH_MAX };
      const shown = asked.show({ items, ...counted }, ({ position }) => position, toTriagedFinding);
      return { status: 200, body: { ...shown, run_id: run.id, counts } };
    },
  });
}
