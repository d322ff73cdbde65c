import { ServiceError } from '@answer-evidence/contracts';
import { downloadRecordEvidence } from '@answer-evidence/contracts/operations';
import type { StoredRecord } from '@answer-evidence/ports';
import { defineRoute, type Route } from '@answer-evidence/routes';
import type { EvidenceDeps } from '../../deps.ts';
import { findOwnAsset, findOwnRecord } from '../../find-own.ts';
import { downloadAsset } from '../download-asset/download.ts';

/** `POST …/evidence-assets/{asset_id}/download` of a record: the same for an asset linked to it or accessed for it. */
export function downloadRecordAssetRoute(deps: EvidenceDeps): Route {
  async function isOfRecord(
    workspaceId: string,
    { record, attached }: StoredRecord,
    assetId: string,
  ): Promise<boolean> {
    if (attached.links.some(({ row }) => row.asset_id === assetId)) return true;
    const bound = await deps.evidence.boundAccesses(workspaceId, record.id);
    return bound.some(({ access }) => access.asset_id === assetId);
  }
  return defineRoute({
    ...downloadRecordEvidence,
    async handle(request) {
      const { params, body, caller } = request;
      const workspace = await deps.directory.get(caller.workspaceId);
      const record = await findOwnRecord(deps, caller, params.answer_log_id);
      if (!(await isOfRecord(workspace.id, record, params.asset_id)))
        throw new ServiceError('not_found', 'the record has no such asset; check both ids');
      const found = await findOwnAsset(deps, caller, params.asset_id);
      return downloadAsset(deps, workspace, { caller, request }, found, body);
    },
  });
}
