import { listEvidenceAssets } from '@answer-evidence/contracts/operations';
import { askLeafPage, defineRoute, narrowed, readWindow, type Route } from '@answer-evidence/routes';
import type { EvidenceDeps } from '../../deps.ts';
import { toAssetResource } from '../../resources/to-asset-resource.ts';

/** `GET /api/evidence-assets`: assets, newest first; an application sees its own. */
export function listAssetsRoute(deps: EvidenceDeps): Route {
  return defineRoute({
    ...listEvidenceAssets,
    async handle({ query: { page, size, cursor, ...wanted }, caller }) {
      const filters = narrowed(readWindow(wanted), caller);
      const workspace = await deps.directory.get(caller.workspaceId);
      const list = { list: 'evidence', ...filters };
      const asked = askLeafPage(workspace.vault, list, { page, size, cursor });
      const found = await deps.evidence.list(workspace.id, filters, asked.page);
      return {
        status: 200,
        body: asked.show(found, (stored) => toAssetResource(workspace, stored, deps.backupDays)),
      };
    },
  });
}
