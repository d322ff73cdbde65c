import { countAnswered } from '@answer-evidence/contracts/operations';
import { parseTimestamp } from '@answer-evidence/encoding';
import { defineRoute, narrowed, readWindow, type Route } from '@answer-evidence/routes';
import type { IngestDeps } from '../../deps.ts';

/** `GET /api/search/answered`: imported answers by the time that is claimed for them. */
export function countAnsweredRoute(deps: IngestDeps): Route {
  return defineRoute({
    ...countAnswered,
    async handle({ query, caller }) {
      const filters = narrowed(readWindow(query, 'answered'), caller);
      const microsOf = (time: string | undefined) => (time === undefined ? undefined : parseTimestamp(time));
      return {
        status: 200,
        body: await deps.records.countAnswered(caller.workspaceId, {
          after: microsOf(filters.answered_after),
          before: microsOf(filters.answered_before),
          applications:
            filters.application_key === undefined ? filters.within?.applications : [filters.application_key],
        }),
      };
    },
  });
}
