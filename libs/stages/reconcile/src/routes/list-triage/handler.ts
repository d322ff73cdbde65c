import * as z from 'zod';
import { PAGE_REACH_MAX, ServiceError } from '@answer-evidence/contracts';
import { listFindingTriage } from '@answer-evidence/contracts/operations';
import { readDateTime } from '@answer-evidence/encoding';
import type { TriagePlace } from '@answer-evidence/ports';
import { askPage, authenticatedUser, defineRoute, type Route } from '@answer-evidence/routes';
import type { ReconcileDeps } from '../../deps.ts';
import { getCompletedRun } from '../../find-run.ts';
import { nameDamage } from '../../name-damage.ts';
import { countTriage } from '../../triage/count-triage.ts';
import { toTriagedFinding } from '../../triage/to-triage-resource.ts';

const position = z.int().nonnegative();
/** The place of a finding in a list by position, or by when it is due. */
const place = z.union([position, z.tuple([z.int().nullable(), position])]);

/** `GET /api/reconciliations/runs/{run_id}/triage`: findings with the work on them, and how many are in which state. */
export function listTriageRoute(deps: ReconcileDeps): Route {
  return defineRoute({
    ...listFindingTriage,
    async handle({ params, query, caller: sentBy }) {
      const caller = authenticatedUser(sentBy);
      const { vault, id: workspaceId } = await deps.directory.get(caller.workspaceId);
      const { type, state, assignee, due_before: before, overdue, sort: order = 'position', ...page } = query;
      const nowMicros = deps.clock.nowMicros();
      const assigneeId = assignee === 'me' ? caller.userId : assignee === 'none' ? null : assignee;
      const isOverdue = overdue === undefined ? undefined : overdue === 'true';
      const filters = { type, state, assigneeId, dueBefore: readDueBefore(before), isOverdue };
      const { run, completion } = await getCompletedRun(deps, caller, params.run_id);
      const asked = askPage(
        vault,
        {
          ...{ list: 'triage', run_id: run.id, type: type ?? null, state: state ?? null },
          assignee: assigneeId ?? assignee ?? null,
          // Named only where they are given, so that cursors from before lead on.
          ...(filters.dueBefore === undefined ? {} : { due_before: filters.dueBefore }),
          ...(overdue === undefined ? {} : { overdue }),
          ...(order === 'position' ? {} : { sort: order }),
        },
        place,
        page,
      );
      const span = { order, after: placeOf(asked.after), offset: asked.offset, limit: asked.limit };
      const { items, groups } = await nameDamage(() => deps.triage.list(workspaceId, run.id, filters, span, nowMicros));
      const { matching, counts } = countTriage(completion.core.counts, groups, filters);
      const counted = { total: Math.min(matching, PAGE_REACH_MAX), totalIsExact: matching <= PAGE_REACH_MAX };
      const shown = asked.show(
        { items, ...counted },
        ({ position, latest }) => (order === 'position' ? position : [latest?.due_at ?? null, position]),
        toTriagedFinding,
      );
      return { status: 200, body: { ...shown, run_id: run.id, counts } };
    },
  });
}

function placeOf(after: z.infer<typeof place> | undefined): TriagePlace | undefined {
  if (after === undefined) return undefined;
  return typeof after === 'number' ? { position: after, dueAt: null } : { dueAt: after[0], position: after[1] };
}

function readDueBefore(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const read = readDateTime(text);
  if ('micros' in read) return read.micros;
  throw new ServiceError('schema_violation', 'the query is invalid', {
    errors: [{ pointer: '?due_before', detail: read.fault }],
  });
}
