import { isTouched, parseSegmentIndexes } from '@answer-evidence/ledger';
import { type EvidenceAssetRow, groupByOwner, type LeafRow, OF_AN_ASSET } from '@answer-evidence/tables';
import type { EvidenceRows } from './evidence-rows.ts';

/** Everything that hangs on one `evidence_registered` leaf. */
export type AssetRows = {
  readonly asset: EvidenceAssetRow;
  readonly leaves: readonly LeafRow[];
  readonly leafById: ReadonlyMap<string, LeafRow>;
  readonly rows: Omit<EvidenceRows, 'assets' | 'leaves' | 'links' | 'bindings'>;
};

/** Takes the rows of a run apart by asset, each kind in one pass: there may be 2,000 segments to each of 256 assets. */
export function groupByAsset(evidence: EvidenceRows): (asset: EvidenceAssetRow) => AssetRows {
  const leaves = Map.groupBy(evidence.leaves, (leaf) => leaf.subject);
  const contents = new Map(evidence.contents.map((row) => [row.id, row]));
  const rowsOf = groupByOwner(OF_AN_ASSET, evidence);
  return (asset) => {
    const own = leaves.get(asset.id) ?? [];
    const rows = rowsOf(asset.id);
    return {
      asset,
      leaves: own,
      // An asset has as many leaves as accesses, and each row of them looks for its own.
      leafById: new Map(own.map((leaf) => [leaf.id, leaf])),
      rows: { ...rows, contents: rows.originals.flatMap((original) => contents.get(original.content_id) ?? []) },
    };
  };
}

/** What is erased of an asset, as the log has it. */
export function erasedOf({ rows }: AssetRows) {
  const redacted = rows.redactions.map((row) => parseSegmentIndexes(row.segments_json));
  const isWhole = rows.expiries.length > 0 || redacted.some((segments) => segments === null);
  return {
    isWhole,
    isAny: isWhole || redacted.length > 0,
    has: (index: number) => isWhole || redacted.some((segments) => isTouched([index], segments)),
  };
}
