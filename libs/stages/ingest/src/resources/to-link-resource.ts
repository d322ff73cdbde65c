import { actor, type EvidenceLink } from '@answer-evidence/contracts';
import { formatHex, formatTimestamp, parseJsonText } from '@answer-evidence/encoding';
import type { Workspace } from '@answer-evidence/ports';
import type { EvidenceLinkRow, WithLeaf } from '@answer-evidence/tables';

/** An asset that was put beside a record, as the API returns it with the record. */
export function toLinkResource(workspace: Workspace, { row: link, leaf }: WithLeaf<EvidenceLinkRow>): EvidenceLink {
  return {
    id: link.id,
    asset_id: link.asset_id,
    actor: actor.parse(parseJsonText(link.actor_json)),
    created_at: formatTimestamp(leaf.at),
    ledger: { origin: workspace.origin, leaf_index: leaf.leaf_index, leaf_hash: formatHex(leaf.leaf_hash) },
  };
}
