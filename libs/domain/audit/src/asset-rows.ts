import { isTouched, parseSegmentIndexes } from '@answer-evidence/ledger';
import type { EvidenceAssetRow, LeafRow } from '@answer-evidence/tables';
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
  const segments = byAsset(evidence.segments);
  const segmentContents = byAsset(evidence.segmentContents);
  const details = byAsset(evidence.details);
  const originals = byAsset(evidence.originals);
  const contents = new Map(evidence.contents.map((row) => [row.id, row]));
  const accesses = byAsset(evidence.accesses);
  const redactions = byAsset(evidence.redactions);
  const expiries = byAsset(evidence.expiries);
  const states = byAsset(evidence.states);
  return (asset) => {
    const own = leaves.get(asset.id) ?? [];
    return {
      asset,
      leaves: own,
      // An asset has as many leaves as accesses, and each row of them looks for its own.
      leafById: new Map(own.map((leaf) => [leaf.id, leaf])),
      rows: {
        segments: segments(asset.id),
        segmentContents: segmentContents(asset.id),
        details: details(asset.id),
        originals: originals(asset.id),
        contents: originals(asset.id).flatMap((original) => contents.get(original.content_id) ?? []),
        accesses: accesses(asset.id),
        redactions: redactions(asset.id),
        expiries: expiries(asset.id),
        states: states(asset.id),
      },
    };
  };
}

function byAsset<Row extends { readonly asset_id: string }>(all: readonly Row[]): (assetId: string) => readonly Row[] {
  const grouped = Map.groupBy(all, (row) => row.asset_id);
  return (assetId) => grouped.get(assetId) ?? [];
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
