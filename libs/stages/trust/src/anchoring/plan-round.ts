import type { AnchorConfig } from '@answer-evidence/contracts';
import { MICROS_PER_SECOND } from '@answer-evidence/encoding';
import type { StoredAnchor, VersionedTrustPolicy } from '@answer-evidence/ports';
import { notAhead } from '../not-ahead.ts';

/** How long the newest checkpoint waits for the witnesses' quorum before one without is taken. */
export const QUORUM_PATIENCE_MICROS = 60 * MICROS_PER_SECOND;

/** A published checkpoint as a round may take it; `quorumReached` is null when no witness is asked for. */
export type Candidate = {
  readonly treeSize: number;
  readonly quorumReached: boolean | null;
};

/** What a round of anchoring is decided from. */
export type RoundState = {
  readonly policy: VersionedTrustPolicy;
  /** The anchors of the largest tree that has any; empty before the first round. */
  readonly newest: readonly StoredAnchor[];
  /** The newest published checkpoints, newest first; those behind the first cosigned one may be missing. */
  readonly candidates: readonly Candidate[];
  /** When the oldest checkpoint beyond the anchored ones was published; `candidates` may not reach it. */
  readonly waitingSince: number;
  readonly nowMicros: number;
  /** A manager asked for it: no interval, no patience. */
  readonly hurry: boolean;
};

/** The anchors that a tree is to have. */
export type Round = { readonly treeSize: number; readonly anchors: readonly AnchorConfig[] };

/** When a round is due (µs): an interval after the one before, or with the policy when that is newer. */
export function roundDueAt({ policy, newest, nowMicros }: Pick<RoundState, 'policy' | 'newest' | 'nowMicros'>): number {
  const [first] = newest;
  if (first?.anchor.policy_version !== policy.version) return notAhead(policy.updatedAt ?? 0, nowMicros);
  return notAhead(first.anchor.created_at, nowMicros) + policy.values.anchor_interval_seconds * MICROS_PER_SECOND;
}

/**
 * Which published checkpoint is anchored next, or undefined for none now. All anchors of a round are of one checkpoint,
 * since only what is confirmed over the same one counts together. A round is due when the interval has passed or the
 * policy has changed, and begins with the newest checkpoint that witnesses have cosigned, or after a minute with the
 * newest one. A round is not begun anew with each published checkpoint: while one authority is down, none would ever
 * have all anchors.
 */
export function planRound({
  policy,
  newest,
  candidates,
  waitingSince,
  nowMicros,
  hurry,
}: RoundState): Round | undefined {
  const { anchors } = policy.values;
  if (anchors.length === 0) return undefined;
  const dueAt = roundDueAt({ policy, newest, nowMicros });
  if (!hurry && nowMicros < dueAt) return undefined;
  const since = newest[0]?.anchor.tree_size ?? -1;
  const grown = candidates.filter(({ treeSize }) => treeSize > since);
  const cosigned = grown.find(({ quorumReached }) => quorumReached !== false);
  const isPatienceOver =
    hurry || nowMicros >= Math.max(dueAt, notAhead(waitingSince, nowMicros)) + QUORUM_PATIENCE_MICROS;
  const chosen = cosigned ?? (isPatienceOver ? grown[0] : undefined);
  return chosen === undefined ? undefined : { treeSize: chosen.treeSize, anchors };
}
