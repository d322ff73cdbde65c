import { growSegmentTree } from '@answer-evidence/commitments';
import type { JsonObject } from '@answer-evidence/contracts';
import { formatHex } from '@answer-evidence/encoding';
import { describeCore, describeEvidenceRegisteredCore } from '@answer-evidence/ledger';
import { EVIDENCE_ACCESSES, EVIDENCE_EXPIRIES, EVIDENCE_REDACTIONS, type LeafRow } from '@answer-evidence/tables';
import { type BoundEvidence, namedIndexes } from './read-evidence.ts';

/** The evidence that a record binds, as a bundle shows it; `proven` makes a leaf with its proof. */
export function describeEvidence(
  { accesses, assets }: BoundEvidence,
  proven: (leaf: LeafRow) => JsonObject,
): JsonObject {
  return {
    accesses: accesses.map(({ access, leaf }) => ({ ...proven(leaf), core: describeCore(EVIDENCE_ACCESSES, access) })),
    assets: assets.map((asset): JsonObject => {
      const { stored } = asset;
      const erasures = [
        ...stored.redactions.map(({ redaction, leaf }) => ({
          leaf,
          core: describeCore(EVIDENCE_REDACTIONS, redaction),
        })),
        ...stored.expiries.map(({ expiry, leaf }) => ({ leaf, core: describeCore(EVIDENCE_EXPIRIES, expiry) })),
      ].sort((a, b) => a.leaf.leaf_index - b.leaf.leaf_index);
      const of = accesses.filter(({ access }) => access.asset_id === stored.asset.id);
      return {
        registered: { ...proven(stored.leaf), core: describeEvidenceRegisteredCore(stored.asset) },
        segments: describeSegments(asset, namedIndexes(of)),
        erasures: erasures.map(({ leaf, core }) => ({ ...proven(leaf), core })),
      };
    }),
  };
}

/** The named segments in their places in the tree of all, without texts: those leave by an access only. */
function describeSegments({ segments }: BoundEvidence['assets'][number], named: ReadonlySet<number>): JsonObject[] {
  const identities = segments.map(({ segment }) => ({
    segment_id: segment.id,
    hash: `sha256:${formatHex(segment.hash)}`,
  }));
  const { proofs } = growSegmentTree(identities);
  return identities.flatMap((identity, index) =>
    named.has(index) ? [{ index, ...identity, proof: (proofs[index] ?? []).map(formatHex), disclosed: null }] : [],
  );
}
