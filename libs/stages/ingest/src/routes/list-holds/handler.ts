import type { Hold } from '@answer-evidence/contracts';
import { listHolds } from '@answer-evidence/contracts/operations';
import { askLeafPage, defineRoute, type Route } from '@answer-evidence/routes';
import type { IngestDeps } from '../../deps.ts';
import { toHoldResource } from '../../holds/to-hold-resource.ts';

/** `GET /api/holds`: the holds, newest first, each with how many records it covers. */
export function listHoldsRoute(deps: IngestDeps): Route {
  return defineRoute({
    ...listHolds,
    async handle({ query: { status, ...page }, caller }) {
      const workspace = await deps.directory.get(caller.workspaceId);
      const asked = askLeafPage(workspace.vault, { list: 'holds', status: status ?? null }, page);
      const found = await deps.holds.list(workspace.id, status, asked.page);
      const shown = new Map<number, Hold>();
      // One after another, so that a page of counts takes one connection.
      for (const stored of found.items)
        shown.set(stored.leaf.leaf_index, await toHoldResource(deps, workspace, stored));
      return { status: 200, body: asked.show(found, ({ leaf }) => shown.get(leaf.leaf_index)) };
    },
  });
}
