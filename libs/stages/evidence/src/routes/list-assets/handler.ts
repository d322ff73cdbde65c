import { boundApplication } from '@answer-evidence/access';
import { type EvidenceFilters, ServiceError } from '@answer-evidence/contracts';
import { listEvidenceAssets } from '@answer-evidence/contracts/operations';
import {
  askPage,
  authenticated,
  defineRoute,
  leafIndexOf,
  leafPageOf,
  leafPlace,
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
      const filters = narrowed(readWindow(wanted), boundApplication(someone));
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

/** An application's list is narrowed to it; asking for another's is refused, not answered by an empty list. */
function narrowed(filters: EvidenceFilters, bound: string | undefined): EvidenceFilters {
  if (bound === undefined) return filters;
  if (filters.application_key !== undefined && filters.application_key !== bound)
    throw new ServiceError(
      'application_not_allowed',
      'the token is bound to another application key; use a token of the application in question',
    );
  return { ...filters, application_key: bound };
}
