import { listEvidenceAccesses } from '@answer-evidence/contracts/operations';
import { askLeafPage, defineRoute, type Route } from '@answer-evidence/routes';
import type { EvidenceDeps } from '../../deps.ts';
import { findOwnAsset } from '../../find-own.ts';
import { assertPurposesErased } from '../../resources/open-details.ts';
import { toAccessResource } from '../../resources/to-access-resource.ts';

/** `GET /api/evidence-assets/{asset_id}/accesses`: who had what of an asset, why, and which answers were made of it. */
export function listAccessesRoute(deps: EvidenceDeps): Route {
  return defineRoute({
    ...listEvidenceAccesses,
    async handle({ params, query, caller }) {
      const workspace = await deps.directory.get(caller.workspaceId);
      const { asset } = await findOwnAsset(deps, caller, params.asset_id);
      const asked = askLeafPage(workspace.vault, { list: 'evidence accesses', asset_id: asset.id }, query);
      const [found, segmentIds] = await Promise.all([
        deps.evidence.accesses(workspace.id, asset.id, asked.page),
        deps.evidence.segmentIds(workspace.id, asset.id),
      ]);
      const missing = found.items.filter(
        ({ access, details }) => access.purpose_hash !== null && details === undefined,
      );
      // Read after them: what has erased a purpose meanwhile is among it.
      if (missing.length > 0) assertPurposesErased(missing, await findOwnAsset(deps, caller, asset.id));
      return {
        status: 200,
        body: asked.show(found, (stored) => toAccessResource(workspace, stored, segmentIds)),
      };
    },
  });
}
