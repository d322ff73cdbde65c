import { listWorkspaceEntries } from '@answer-evidence/contracts/operations';
import { askLeafPage, defineRoute, readWindow, type Route } from '@answer-evidence/routes';
import type { WorkspaceDeps } from '../../deps.ts';
import { toEntryResources } from '../../entries/to-entry-resources.ts';

/** `GET /api/tenant/entries`: what was done in the workspace, by whom, and where the log says so. */
export function listEntriesRoute(deps: WorkspaceDeps): Route {
  return defineRoute({
    ...listWorkspaceEntries,
    async handle({ query: { page, size, cursor, ...wanted }, caller }) {
      const filters = readWindow(wanted);
      const workspace = await deps.directory.get(caller.workspaceId);
      const list = { list: 'workspace entries', ...filters };
      const asked = askLeafPage(workspace.vault, list, { page, size, cursor });
      const found = await deps.entries.list(workspace.id, filters, asked.page);
      const items = await toEntryResources(deps.entries, workspace, found.items);
      const shown = new Map(items.map((item) => [item.ledger.leaf_index, item]));
      const body = asked.show(found, ({ leaf }) => shown.get(leaf.leaf_index));
      return { status: 200, body };
    },
  });
}
