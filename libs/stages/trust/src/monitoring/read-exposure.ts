import { isExternalAnchor } from '@answer-evidence/contracts';
import { formatHex } from '@answer-evidence/encoding';
import { parseWitnessPolicy } from '@answer-evidence/note';
import type { LogStore, TrustStore, VersionedTrustPolicy } from '@answer-evidence/ports';
import { confirmationOf } from '../anchoring/anchor-state.ts';
import { areAnchorsThere } from '../checkpoints/are-anchors-there.ts';
import type { TrustDeps } from '../deps.ts';
import { readRenewalStanding } from './read-renewal-standing.ts';

/** What is read. */
type ExposureDeps = { readonly trust: TrustStore; readonly logs: LogStore } & Pick<TrustDeps, 'extractToken'>;

/** How much of a log nobody outside vouches for yet, and who of those that should does not. */
export type Exposure = {
  /** Entries that no published checkpoint holds. */
  readonly unpublishedEntries: number;
  /** When the oldest unanchored entry was made (µs); undefined when there is none, or no anchor is asked for. */
  readonly oldestUnanchoredAt: number | undefined;
  /** Anchors of the newest round whose last attempt has failed. */
  readonly anchorsFailing: number;
  /** Whether a renewal of time-stamps is due whose last attempt has failed. */
  readonly isRenewalFailing: boolean;
  /** When the certificates of all authorities of the policy have ended (µs); undefined where none is known. */
  readonly authoritiesEndAt: number | undefined;
  /** Witnesses of the policy that did not cosign when they were asked last. */
  readonly witnessesFailing: number;
};

/** How many anchored trees are looked at for one that has all the anchors which are demanded. */
const ANCHORED_MAX = 1_000;

/**
 * Reads the state of a log's attestations from stored rows only. It is for metrics, so it costs a few reads, and
 * verifies neither signatures nor quorums again.
 */
export async function readExposure(deps: ExposureDeps, workspaceId: string): Promise<Exposure> {
  const { trust, logs } = deps;
  const policy = await trust.policy(workspaceId);
  const [newest, { head }] = await Promise.all([trust.newestPublished(workspaceId), logs.snapshot(workspaceId)]);
  const anchorIds = new Set(policy.values.anchors.map(({ id }) => id));
  const anchors = (await trust.newestAnchors(workspaceId)).filter(({ anchor }) => anchorIds.has(anchor.anchor_id));
  const { failing, endsAt } = await readRenewalStanding(deps, workspaceId);
  return {
    unpublishedEntries: Math.max(0, head.tree_size - (newest?.tree_size ?? 0)),
    oldestUnanchoredAt: await findOldestUnanchored(deps, workspaceId, policy, head.tree_size),
    anchorsFailing: anchors.filter((stored) => confirmationOf(stored) === undefined && stored.attempts.length > 0)
      .length,
    isRenewalFailing: failing !== undefined,
    authoritiesEndAt: endsAt,
    witnessesFailing: await countFailingWitnesses(trust, workspaceId, policy),
  };
}

async function findOldestUnanchored(
  { trust, logs }: ExposureDeps,
  workspaceId: string,
  policy: VersionedTrustPolicy,
  treeSize: number,
): Promise<number | undefined> {
  if (!policy.values.anchors.some(isExternalAnchor)) return undefined;
  const trees = await trust.confirmedTrees(workspaceId, { upTo: treeSize }, ANCHORED_MAX);
  const anchoredSize = trees.find((tree) => areAnchorsThere(policy.values, tree))?.treeSize ?? 0;
  if (anchoredSize >= treeSize) return undefined;
  const [leaf] = await logs.leaves(workspaceId, anchoredSize, anchoredSize + 1);
  return leaf?.at;
}

async function countFailingWitnesses(
  trust: TrustStore,
  workspaceId: string,
  { values }: VersionedTrustPolicy,
): Promise<number> {
  const asked = new Set(
    parseWitnessPolicy(values.witness_policy).witnesses.map(({ vkey }) => formatHex(vkey.publicKey)),
  );
  if (asked.size === 0) return 0;
  const states = await trust.witnessStates(workspaceId);
  return states.filter((state) => state.failures > 0 && asked.has(formatHex(state.public_key))).length;
}
