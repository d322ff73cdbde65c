import { formatEntry } from '@answer-evidence/commitments';
import { actor, type EvidenceAccess, evidenceAccessedCore } from '@answer-evidence/contracts';
import { formatHex, formatTimestamp, parseJsonText } from '@answer-evidence/encoding';
import { parseSegmentIndexes } from '@answer-evidence/ledger';
import type { StoredAccess, Workspace } from '@answer-evidence/ports';
import { openAccessDetails } from './open-details.ts';

/** An access as the API returns it; `segmentIds` are those of its asset, in their order. */
export function toAccessResource(
  workspace: Workspace,
  { access, leaf, details, boundInto }: StoredAccess,
  segmentIds: readonly string[],
): EvidenceAccess {
  const segments = parseSegmentIndexes(access.segments_json);
  return {
    id: access.id,
    asset_id: access.asset_id,
    access: access.access,
    segment_ids: segments?.map((index) => segmentIds[index] ?? '') ?? null,
    range: evidenceAccessedCore.shape.range.parse(parseJsonText(access.range_json)),
    source_ref_id: access.source_ref_id,
    purpose: openAccessDetails(workspace, details)?.purpose.item ?? null,
    actor: actor.parse(parseJsonText(access.actor_json)),
    created_at: formatTimestamp(leaf.at),
    bound_into: [...boundInto],
    ledger: {
      origin: workspace.origin,
      leaf_index: leaf.leaf_index,
      leaf_hash: formatHex(leaf.leaf_hash),
      entry: formatEntry(leaf),
    },
  };
}
