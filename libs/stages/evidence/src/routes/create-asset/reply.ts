import type { Workspace } from '@answer-evidence/ports';
import type { RouteReply } from '@answer-evidence/routes';
import type { EvidenceDeps } from '../../deps.ts';
import type { RegisteredAsset } from '../../prepare/register-asset.ts';
import { toAssetResource } from '../../resources/to-asset-resource.ts';

/** The 201 of an asset that was made, now or by an earlier request with the same key. */
export function replyWithAsset(
  { backupDays }: Pick<EvidenceDeps, 'backupDays'>,
  workspace: Workspace,
  { stored, isReplay, warnings }: RegisteredAsset,
): RouteReply {
  return {
    status: 201,
    headers: {
      Location: `/api/evidence-assets/${stored.asset.id}`,
      ...(isReplay ? { 'Idempotency-Replayed': 'true' } : {}),
    },
    body: { ...toAssetResource(workspace, stored, backupDays), ...(warnings.length === 0 ? {} : { warnings }) },
  };
}
