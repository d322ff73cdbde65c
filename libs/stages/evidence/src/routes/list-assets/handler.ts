import { listEvidenceAssets } from '@answer-evidence/contracts/operations';
import {
  askPage,
  authenticated,
  defineRoute,
  leafIndexOf,
  leafPageOf,
  leafPlace,
  narrowed,
  readWindow,
  type Route,
} from '@answer-evidence/routes';
import type { EvidenceDeps } from '../../deps.ts';
import { toAssetResource } from '../../resources/to-asset-resource.ts';

/** `GET /api/evidence-assets`: assets, newest first; an application sees its own. */
export function listAssetsRoute(deps: EvidenceDeps): Route {
  return defineRoute({
    ...listEvidenceAssets,
    async handle({ query: { page, size, cursor, ...wanted }, caller }) {
      const someone = authenticated(caller);
      const filters = narrowed(readWindow(wanted), someone);
      const workspace = await deps.directory.get(someone.workspaceId);
      const list = { list: 'evidence', ...filters };
      const asked = askPage(workspace.vault, list, leafPlace, { page, size, cursor });
      const { assets: items, ...counted } = await deps.evidence.list(workspace.id, filters, leafPageOf(asked));
      return {
        status: 200,
        body: asked.show({ items, ...counted }, leafIndexOf, (stored) =>
          toAssetResource(workspace, stored, deps.backupDays),
        ),
      };
    },
  });
}
