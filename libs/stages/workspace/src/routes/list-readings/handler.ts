import { listReadings } from '@answer-evidence/contracts/operations';
import { askLeafPage, defineRoute, readWindow, type Route } from '@answer-evidence/routes';
import type { WorkspaceDeps } from '../../deps.ts';
import { toEntryResources } from '../../entries/to-entry-resources.ts';
import { toReading } from '../../entries/to-reading.ts';

/** `GET /api/readings`: who read the texts of which records, and why, as the log has it. */
export function listReadingsRoute(deps: WorkspaceDeps): Route {
  return defineRoute({
    ...listReadings,
    async handle({ query: { page, size, cursor, ...wanted }, caller }) {
      const filters = { ...readWindow(wanted), type: 'texts_revealed' } as const;
      const workspace = await deps.directory.get(caller.workspaceId);
      const asked = askLeafPage(workspace.vault, { list: 'readings', ...filters }, { page, size, cursor });
      const found = await deps.entries.list(workspace.id, filters, asked.page);
      const items = await toEntryResources(deps.entries, workspace, found.items);
      const shown = new Map(items.map((item) => [item.ledger.leaf_index, toReading(item)]));
      return { status: 200, body: asked.show(found, ({ leaf }) => shown.get(leaf.leaf_index)) };
    },
  });
}
