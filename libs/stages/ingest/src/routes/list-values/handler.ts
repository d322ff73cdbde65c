import { boundsOf } from '@answer-evidence/access';
import type { SearchValues } from '@answer-evidence/contracts';
import { listSearchValues } from '@answer-evidence/contracts/operations';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { IngestDeps } from '../../deps.ts';

/** `GET /api/search/values`: what there is to filter records by. */
export function listValuesRoute(deps: IngestDeps): Route {
  return defineRoute({
    ...listSearchValues,
    async handle({ caller }) {
      const values = await deps.records.listValues(caller.workspaceId, boundsOf(caller));
      const body: SearchValues = {
        applications: [...(values?.applications ?? [])],
        environments: [...(values?.environments ?? [])],
        modes: [...(values?.modes ?? [])],
        is_complete: values !== undefined,
      };
      return { status: 200, body };
    },
  });
}
