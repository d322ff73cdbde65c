import { downloadEvidence } from '@answer-evidence/contracts/operations';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { EvidenceDeps } from '../../deps.ts';
import { findOwnAsset } from '../../find-own.ts';
import { downloadAsset } from './download.ts';

/** `POST /api/evidence-assets/{asset_id}/download`: the bytes of an original, or a part of them. */
export function downloadAssetRoute(deps: EvidenceDeps): Route {
  return defineRoute({
    ...downloadEvidence,
    async handle(request) {
      const { params, body, caller } = request;
      const workspace = await deps.directory.get(caller.workspaceId);
      const found = await findOwnAsset(deps, caller, params.asset_id);
      return downloadAsset(deps, workspace, { caller, request }, found, body);
    },
  });
}
