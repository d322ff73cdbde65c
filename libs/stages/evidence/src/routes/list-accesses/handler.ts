import { listEvidenceAccesses } from '@answer-evidence/contracts/operations';
import {
  askPage,
  authenticated,
  defineRoute,
  leafIndexOf,
  leafPageOf,
  leafPlace,
  type Route,
} from '@answer-evidence/routes';
import type { EvidenceDeps } from '../../deps.ts';
import { findOwnAsset } from '../../find-own.ts';
import { toAccessResource } from '../../resources/to-access-resource.ts';

/** `GET /api/evidence-assets/{asset_id}/accesses`: who had what of an asset, why, and which answers were made of it. */
export function listAccessesRoute(deps: EvidenceDeps): Route {
  return defineRoute({
    ...listEvidenceAccesses,
    async handle({ params, query, caller }) {
      const someone = authenticated(caller);
      const workspace = await deps.directory.get(someone.workspaceId);
      const { asset } = await findOwnAsset(deps, someone, params.asset_id);
      const asked = askPage(workspace.vault, { list: 'evidence accesses', asset_id: asset.id }, leafPlace, query);
      const [{ accesses: items, ...counted }, segmentIds] = await Promise.all([
        deps.evidence.accesses(workspace.id, asset.id, leafPageOf(asked)),
        deps.evidence.segmentIds(workspace.id, asset.id),
      ]);
      return {
        status: 200,
        body: asked.show({ items, ...counted }, leafIndexOf, (stored) =>
          toAccessResource(workspace, stored, segmentIds),
        ),
      };
    },
  });
}
