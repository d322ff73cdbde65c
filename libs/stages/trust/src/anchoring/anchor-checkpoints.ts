import type { AnchorConfig } from '@answer-evidence/contracts';
import { sha256 } from '@answer-evidence/digest';
import { MICROS_PER_SECOND, utf8 } from '@answer-evidence/encoding';
import { parseNote } from '@answer-evidence/note';
import {
  type AnchorOutcome,
  newId,
  type StoredAnchor,
  type VersionedTrustPolicy,
  type Workspace,
} from '@answer-evidence/ports';
import { readCosignedCheckpoint } from '../checkpoints/cosigned-checkpoint.ts';
import type { TrustDeps } from '../deps.ts';
import { describeWrongTime } from '../stated-time.ts';
import { confirmationOf, nextAttemptAt, pauseAfter } from './anchor-state.ts';
import { withSecret } from './anchor-target.ts';
import { hearAnchors } from './hear-anchors.ts';
import { type Candidate, planRound, roundDueAt } from './plan-round.ts';

/** How many of the newest checkpoints are looked at for one that witnesses have cosigned. */
const CANDIDATES_MAX = 20;

/**
 * Begins the round of anchors that is due and tries every anchor of the newest round whose time has come. Only for
 * anyone who leads the anchoring of this log. Each attempt is kept before the next begins; a process that dies in one
 * asks again, which is harmless. Returns when there is something to do for the newest published tree (µs), if ever.
 */
export async function anchorCheckpoints(
  deps: TrustDeps,
  workspace: Workspace,
  hurry: boolean,
  signal: AbortSignal,
): Promise<number | undefined> {
  const policy = await deps.trust.policy(workspace.id);
  if (policy.values.anchors.length === 0) return undefined;
  const next = [await beginRound(deps, workspace, policy, hurry, signal)];
  if (deps.heads.isStopped(workspace.id)) return undefined;
  const configs = new Map(policy.values.anchors.map((config) => [config.id, config]));
  for (const stored of await deps.trust.newestAnchors(workspace.id)) {
    if (signal.aborted) return undefined;
    const config = configs.get(stored.anchor.anchor_id);
    if (config?.type !== stored.anchor.type || confirmationOf(stored) !== undefined) continue;
    const nowMicros = deps.clock.nowMicros();
    const at = nextAttemptAt(stored, nowMicros);
    next.push(hurry || at <= nowMicros ? await attempt(deps, workspace, stored, config, signal) : at);
  }
  const known = next.filter((at) => at !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

/** Returns when the round after the newest one is due, if there is a tree for it. */
async function beginRound(
  deps: TrustDeps,
  workspace: Workspace,
  policy: VersionedTrustPolicy,
  hurry: boolean,
  signal: AbortSignal,
): Promise<number | undefined> {
  const newest = await deps.trust.newestAnchors(workspace.id);
  const nowMicros = deps.clock.nowMicros();
  // Asked every few seconds and due once in an interval: what was published is read only then.
  const dueAt = roundDueAt({ policy, newest, nowMicros });
  if (!hurry && nowMicros < dueAt) return dueAt;
  const since = newest[0]?.anchor.tree_size ?? -1;
  const oldest = await deps.trust.firstPublishedAbove(workspace.id, since);
  if (oldest === undefined) return undefined;
  const { items } = await deps.trust.listPublished(workspace.id, { offset: 0, limit: CANDIDATES_MAX });
  const candidates: Candidate[] = [];
  for (const row of items.filter(({ tree_size: size }) => size > since)) {
    const { quorumReached } = await readCosignedCheckpoint(deps, workspace, row, policy);
    candidates.push({ treeSize: row.tree_size, quorumReached });
    // Behind it, none can be chosen.
    if (quorumReached !== false) break;
  }
  const waitingSince = oldest.published_at;
  const round = planRound({ policy, newest, candidates, waitingSince, nowMicros, hurry });
  // It waits for witnesses.
  if (round === undefined) return nowMicros;
  // Nothing is published beside a history that it would contradict.
  await hearAnchors(deps, workspace, 'round', signal);
  if (signal.aborted || deps.heads.isStopped(workspace.id)) return undefined;
  await deps.trust.addAnchors(
    workspace.id,
    round.anchors.map(({ id, type }) => ({
      id: newId(deps),
      tree_size: round.treeSize,
      anchor_id: id,
      type,
      policy_version: policy.version,
      created_at: nowMicros,
    })),
  );
  return nowMicros + policy.values.anchor_interval_seconds * MICROS_PER_SECOND;
}

/** Returns when the anchor is tried again (µs), if it is. */
async function attempt(
  deps: TrustDeps,
  workspace: Workspace,
  { anchor, attempts }: StoredAnchor,
  config: AnchorConfig,
  signal: AbortSignal,
): Promise<number | undefined> {
  const published = await deps.trust.findPublished(workspace.id, anchor.tree_size);
  // It was published under an earlier name of the log, which signs no more; the next round is of this name.
  if (published === undefined) return undefined;
  const signer = await deps.logs.signer(workspace.id);
  const note = await signer.sign({ size: published.tree_size, root: published.root });
  const target = await withSecret(deps, workspace, config);
  const request = { config: target, note, digest: sha256(utf8(parseNote(note).text)), signal };
  const askedAt = deps.clock.nowMicros();
  const outcome = withinTime(await deps.anchors[config.type].submit(request), askedAt, deps.clock.nowMicros());
  // A process that stops has not been refused by anybody.
  if (outcome.kind === 'failed' && signal.aborted) return undefined;
  const isConfirmed = outcome.kind === 'confirmed';
  const row = {
    anchor: anchor.id,
    attempt: attempts.length + 1,
    at: deps.clock.nowMicros(),
    outcome: outcome.kind,
    detail: outcome.detail,
    anchored_at: isConfirmed ? outcome.at : null,
    artefact: isConfirmed ? outcome.artefact : null,
    ends_at: isConfirmed ? (outcome.endsAt ?? null) : null,
  };
  await deps.trust.addAttempt(workspace.id, row);
  return isConfirmed ? undefined : row.at + pauseAfter(row.attempt);
}

/** A time from before the request or after the response is wrong by one of the two clocks, and dates nothing. */
function withinTime(outcome: AnchorOutcome, askedAt: number, answeredAt: number): AnchorOutcome {
  if (outcome.kind === 'failed' || outcome.at === null) return outcome;
  const wrong = describeWrongTime(outcome.at, askedAt, answeredAt);
  return wrong === undefined ? outcome : { kind: 'failed', detail: `the response is refused: ${wrong}` };
}
