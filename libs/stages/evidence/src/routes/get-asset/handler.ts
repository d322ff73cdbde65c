import { getEvidenceAsset } from '@answer-evidence/contracts/operations';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { EvidenceDeps } from '../../deps.ts';
import { findOwnAsset } from '../../find-own.ts';
import { toAssetResource } from '../../resources/to-asset-resource.ts';

/** `GET /api/evidence-assets/{asset_id}`: what an asset is, without what is in it. */
export function getAssetRoute(deps: EvidenceDeps): Route {
  return defineRoute({
    ...getEvidenceAsset,
    async handle({ params, caller }) {
      const workspace = await deps.directory.get(caller.workspaceId);
      const stored = await findOwnAsset(deps, caller, params.asset_id);
      return { status: 200, body: toAssetResource(workspace, stored, deps.backupDays) };
    },
  });
}
