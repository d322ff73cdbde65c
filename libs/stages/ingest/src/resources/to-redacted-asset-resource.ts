import type { RedactedEvidence } from '@answer-evidence/contracts';
import type { ErasedOriginal, RedactedAsset } from '@answer-evidence/ports';

/** What a redaction took away of an asset, as the API returns it. */
export function toRedactedAssetResource({ assetId, entryId, segmentIds, original }: RedactedAsset): RedactedEvidence {
  return {
    asset_id: assetId,
    entry_id: entryId,
    segment_ids: segmentIds === null ? null : [...segmentIds],
    original: stateOf(original),
    also_held_by: [...(original?.alsoHeldBy ?? [])],
  };
}

function stateOf(original: ErasedOriginal | undefined): RedactedEvidence['original'] {
  if (original === undefined) return 'none';
  if (original.alsoHeldBy.length > 0) return 'shared';
  return original.deletedAt === null ? 'deleting' : 'deleted';
}
