import { ServiceError } from '@answer-evidence/contracts';
import { getWorkspaceEntry } from '@answer-evidence/contracts/operations';
import { readReceipts } from '@answer-evidence/ports';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { WorkspaceDeps } from '../../deps.ts';
import { toEntryResources } from '../../entries/to-entry-resources.ts';

/** `GET /api/tenant/entries/{entry_id}`: an entry about the workspace, with a receipt at the log's present size. */
export function getEntryRoute(deps: WorkspaceDeps): Route {
  return defineRoute({
    ...getWorkspaceEntry,
    async handle({ params, caller }) {
      const workspace = await deps.directory.get(caller.workspaceId);
      const stored = await deps.entries.find(workspace.id, params.entry_id);
      if (stored === undefined)
        throw new ServiceError('not_found', 'no such entry is about this workspace; check its id');
      const [[receipt = ''], [entry]] = await Promise.all([
        readReceipts(deps.logs, workspace, [stored.leaf]),
        toEntryResources(deps.entries, workspace, [stored]),
      ]);
      return { status: 200, body: { ...entry, receipt } };
    },
  });
}
