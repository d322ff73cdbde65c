import type { BundleAnchor, LogKey, ShownTrustPolicy } from '@answer-evidence/contracts';
import type { Workspace } from './stores.ts';

/** A checkpoint with all that vouches for it, as proofs quote it. */
type ProofCheckpoint = {
  readonly size: number;
  readonly root: Uint8Array;
  /** The signed note with its cosignatures. */
  readonly note: string;
  readonly anchors: readonly BundleAnchor[];
  readonly logKeys: readonly LogKey[];
  readonly policy: ShownTrustPolicy;
};

/** What is anchored of a log, judged by the trust policy in force and not by what was noted once. */
export interface AnchoredCheckpoints {
  /** The checkpoint for a proof of this leaf: the oldest ANCHORED one, else the newest published, else the head. */
  choose(workspace: Workspace, leafIndex: number): Promise<ProofCheckpoint>;
  /**
   * The size of the largest ANCHORED checkpoint of at most `treeSize` leaves; all leaves below it are anchored. 0 if
   * there is none; null if the policy requires no external anchor.
   */
  anchoredSize(workspace: Workspace, treeSize: number): Promise<number | null>;
}
