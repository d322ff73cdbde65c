import { type AnchorItem, type CheckpointItem, isExternalAnchor } from '@answer-evidence/contracts';

/** How far each kind of attestation has come: sizes of trees. */
type Attestations = {
  /** The newest checkpoint that the service has signed; 0 before the first. */
  readonly signed: number;
  /** The largest tree with the quorum of witnesses; null where the policy asks for none. */
  readonly witnessed: number | null;
  /** The largest tree that an outside party has anchored; null where the policy names no such party. */
  readonly anchored: number | null;
};

/** What vouches for the log, as far as these pages of lists tell. All are newest first. */
export function judgeAttestations(
  checkpoints: readonly CheckpointItem[],
  anchors: readonly AnchorItem[],
  policyAnchors: readonly Pick<AnchorItem, 'type'>[],
): Attestations {
  const confirmed = anchors.filter((one) => isExternalAnchor(one) && one.state === 'confirmed');
  const asksWitnesses = checkpoints[0] !== undefined && checkpoints[0].quorum_reached !== null;
  return {
    signed: checkpoints[0]?.tree_size ?? 0,
    witnessed: asksWitnesses ? largest(checkpoints.filter((one) => one.quorum_reached === true)) : null,
    anchored: policyAnchors.some(isExternalAnchor) ? largest(confirmed) : null,
  };
}

function largest(items: readonly { readonly tree_size: number }[]): number {
  return Math.max(0, ...items.map(({ tree_size: size }) => size));
}
