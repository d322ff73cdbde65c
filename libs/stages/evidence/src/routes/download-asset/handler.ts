import * as z from 'zod';
import { anyUuid, downloadEvidenceRequest } from '@answer-evidence/contracts';
import { authenticated, defineRoute, type Route } from '@answer-evidence/routes';
import type { EvidenceDeps } from '../../deps.ts';
import { findOwnAsset } from '../../find-own.ts';
import { DOWNLOAD_RESPONSES, downloadAsset } from './download.ts';

/** `POST /api/evidence-assets/{asset_id}/download`: the bytes of an original, or a part of them. */
export function downloadAssetRoute(deps: EvidenceDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/api/evidence-assets/{asset_id}/download',
    operationId: 'downloadEvidence',
    summary: 'Download the original of a piece of evidence',
    access: 'evidence.read',
    params: z.strictObject({ asset_id: anyUuid }),
    body: downloadEvidenceRequest,
    bodyOptional: true,
    responses: DOWNLOAD_RESPONSES,
    async handle({ params, body, caller }) {
      const someone = authenticated(caller);
      const workspace = await deps.directory.get(someone.workspaceId);
      return downloadAsset(deps, workspace, someone, await findOwnAsset(deps, someone, params.asset_id), body);
    },
  });
}
