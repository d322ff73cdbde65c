import type { AnchorConfig } from '@answer-evidence/contracts';
import type { StoredAnchor, VersionedTrustPolicy } from '@answer-evidence/ports';

const SECOND_MICROS = 1_000_000;
/** How long a round waits for the witnesses' quorum before it takes a checkpoint without. */
const QUORUM_PATIENCE_MICROS = 60 * SECOND_MICROS;

/** A published checkpoint as a round may take it; `quorumReached` is null when no witness is asked for. */
export type Candidate = {
  readonly treeSize: number;
  readonly publishedAt: number;
  readonly quorumReached: boolean | null;
};

/** What a round of anchoring is decided from. */
export type RoundState = {
  readonly policy: VersionedTrustPolicy;
  /** The anchors of the largest tree that has any; empty before the first round. */
  readonly newest: readonly StoredAnchor[];
  /** Published checkpoints, newest first. */
  readonly candidates: readonly Candidate[];
  readonly nowMicros: number;
  /** A manager asked for it: no interval, no patience. */
  readonly hurry: boolean;
};

/** The anchors that a tree is to have. */
export type Round = { readonly treeSize: number; readonly anchors: readonly AnchorConfig[] };

/**
 * Which published checkpoint is anchored next, or undefined for none now. All anchors of a round are of one checkpoint, since only what is
 * confirmed over the same one counts together. A round is due when the interval has passed or the policy has changed, and begins
 * with the newest checkpoint that witnesses have cosigned, or after a minute with the newest one.
 */
export function planRound({ policy, newest, candidates, nowMicros, hurry }: RoundState): Round | undefined {
  const { anchors, anchor_interval_seconds: interval } = policy.values;
  if (anchors.length === 0) return undefined;
  const [first] = newest;
  const since = first === undefined ? -1 : first.anchor.tree_size;
  const isOldPolicy = first === undefined || first.anchor.policy_version !== policy.version;
  const dueAt = isOldPolicy ? (policy.updatedAt ?? 0) : first.anchor.created_at + interval * SECOND_MICROS;
  if (!hurry && nowMicros < dueAt) return undefined;
  const grown = candidates.filter(({ treeSize }) => treeSize > since);
  const cosigned = grown.find(({ quorumReached }) => quorumReached !== false);
  const isPatienceOver = hurry || nowMicros >= Math.max(dueAt, oldestOf(grown)) + QUORUM_PATIENCE_MICROS;
  const chosen = cosigned ?? (isPatienceOver ? grown[0] : undefined);
  return chosen === undefined ? undefined : { treeSize: chosen.treeSize, anchors };
}

function oldestOf(candidates: readonly Candidate[]): number {
  return candidates.at(-1)?.publishedAt ?? 0;
}
