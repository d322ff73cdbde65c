import type { Caller } from '@answer-evidence/access';
import type { TrustFile } from '@answer-evidence/contracts';
import { verifyAnswerRecord } from '@answer-evidence/contracts/operations';
import { formatTimestamp, parseHex } from '@answer-evidence/encoding';
import { readConsistencyProof } from '@answer-evidence/ledger';
import { EMPTY_ROOT } from '@answer-evidence/merkle';
import {
  HeadError,
  headRefusal,
  type LogSnapshot,
  type PinnedHead,
  StoredDamageError,
  type Workspace,
} from '@answer-evidence/ports';
import { defineRoute, type Route } from '@answer-evidence/routes';
import {
  type BundleVerification,
  type CreationCommit,
  type PublishedHead,
  verifyBundle,
  type VerifyOptions,
} from '@answer-evidence/verify';
import { buildBundle } from '../../bundle/build-bundle.ts';
import { isDamage, readOr } from '../../bundle/damage.ts';
import { readConsistently } from '../../bundle/read-consistently.ts';
import { storedProofs } from '../../bundle/read-proofs.ts';
import { trustOf } from '../../bundle/trust-of.ts';
import { viewStoredLog } from '../../bundle/view-stored-log.ts';
import { chooseCheckpoint, type ChosenCheckpoint, findAnchored, isNamed } from '../../checkpoints/choose-checkpoint.ts';
import { type AttestedBefore, findAttestedBefore } from '../../checkpoints/find-attested-before.ts';
import type { TrustDeps } from '../../deps.ts';

/** `GET /api/answer-audit-logs/{answer_log_id}/ledger/verify`: every check of a record, from what is stored. */
export function verifyRecordRoute(deps: TrustDeps): Route {
  return defineRoute({
    ...verifyAnswerRecord,
    async handle({ params, caller }) {
      const workspace = await deps.directory.get(caller.workspaceId);
      // Read before the log: a head kept outside of the database is then never ahead of an honest log.
      const kept = await deps.headStore.find(workspace.id).catch((error: unknown) => {
        throw error instanceof HeadError ? headRefusal(error) : error;
      });
      // The empty tree, which every log extends, is no checkpoint.
      const outside = kept?.treeSize === 0 ? undefined : kept;
      const { pins: _, ...result } = await verifyStored(deps, workspace, caller, params.answer_log_id, outside);
      return { status: 200, body: { ...result, answer_log_id: params.answer_log_id } };
    },
  });
}

async function verifyStored(
  deps: TrustDeps,
  workspace: Workspace,
  caller: Caller,
  recordId: string,
  outside: PinnedHead | undefined,
): Promise<BundleVerification> {
  const { verifySignature, verifyTimestamp } = deps;
  const options = { verifySignature, verifyTimestamp };
  // Demands nothing, and is used for what fails every check alone.
  let trust: TrustFile = {
    format: 'answer-evidence-trust/v1',
    logs: [{ origin: workspace.origin, keys: [] }],
    witness_policy: null,
    tsa_roots: [],
  };
  try {
    const policy = await deps.trust.policy(workspace.id);
    trust = trustOf(workspace, await deps.logs.signer(workspace.id), policy);
    const { stored, evidence, holds, snapshot, lastLeaf } = await readConsistently(deps, caller, recordId);
    const chosen = await chooseCheckpoint(deps, workspace, policy, snapshot, lastLeaf, 0);
    // It stays here: only what the checks say leaves.
    const whole = { stored, evidence, holds, door: { texts: 'shown', vouchedBy: null } } as const;
    // What the policy no longer names vouches for nothing under it.
    const judged = { ...chosen, anchors: chosen.anchors.filter((anchor) => isNamed(policy, anchor)) };
    const bundle = await buildBundle(deps, workspace, whole, storedProofs(snapshot.nodes), judged, policy);
    // The last ANCHORED checkpoint whose tree does not hold the record's leaf.
    const place = { leafIndex: stored.leaf.leaf_index, at: stored.leaf.at };
    const before = await findAnchored(deps, workspace, policy, { upTo: place.leafIndex });
    return await verifyBundle(bundle, trust, {
      ...options,
      confirmedAnchors: chosen.confirmedAnchors,
      ...describeBefore(await findAttestedBefore(deps, workspace, policy, place, before)),
      checkpointAt: formatTimestamp(await lastTimeOf(deps, workspace, snapshot, chosen.head.size)),
      log: viewStoredLog(deps, workspace),
      creation: await creationOf(deps, workspace, stored.leaf.leaf_index, snapshot, chosen.head.size),
      reconciliation: await reconciliationOf(deps, workspace, recordId),
      published: await publishedHeads(deps, workspace, outside, before, snapshot, chosen.head.size),
    });
  } catch (error) {
    if (!isDamage(error)) throw error;
    // What cannot even be read is a bundle with nothing in it, which fails every check.
    return await verifyBundle({ format: 'answer-evidence-bundle/v1' }, trust, options);
  }
}

/** When outside parties attested the last tree without the record. */
function describeBefore(before: AttestedBefore | undefined): Pick<VerifyOptions, 'attestedBefore'> {
  return before === undefined ? {} : { attestedBefore: { at: formatTimestamp(before.micros), by: before.by } };
}

/** What reconciliation says of the record. Damage there concerns that check alone; the others are still shown. */
async function reconciliationOf(
  { reconciliations }: TrustDeps,
  workspace: Workspace,
  recordId: string,
): Promise<VerifyOptions['reconciliation']> {
  try {
    return (await reconciliations.findAbout(workspace.id, recordId)) ?? null;
  } catch (error) {
    if (error instanceof StoredDamageError) return { damage: error.message };
    throw error;
  }
}

async function lastTimeOf(deps: TrustDeps, workspace: Workspace, { head }: LogSnapshot, size: number): Promise<number> {
  if (size === head.tree_size) return head.last_at;
  const [leaf] = await deps.logs.leaves(workspace.id, size - 1, size);
  return leaf?.at ?? head.last_at;
}

async function creationOf(
  deps: TrustDeps,
  workspace: Workspace,
  leafIndex: number,
  snapshot: LogSnapshot,
  size: number,
): Promise<CreationCommit> {
  const commit = await deps.logs.findCommit(workspace.id, leafIndex);
  // Every leaf has its commit. Where the row is gone, the record is in no tree that a receipt could have been given in.
  if (commit === undefined || commit.from_size > leafIndex) return { treeSize: 0, root: EMPTY_ROOT, consistency: [] };
  const consistency = await consistencyBetween(snapshot, commit.tree_size, size);
  return { treeSize: commit.tree_size, root: commit.root, consistency };
}

/** The heads beyond the database: the one kept outside, the newest published, and the last anchored before it. */
async function publishedHeads(
  deps: TrustDeps,
  workspace: Workspace,
  outside: PinnedHead | undefined,
  anchored: ChosenCheckpoint | undefined,
  snapshot: LogSnapshot,
  size: number,
): Promise<readonly PublishedHead[]> {
  const published = await deps.trust.newestPublished(workspace.id);
  const heads = [
    ...(anchored === undefined ? [] : [anchored.head]),
    ...(published === undefined ? [] : [{ size: published.tree_size, root: published.root }]),
    ...(outside === undefined ? [] : [{ size: outside.treeSize, root: parseHex(outside.rootHash) }]),
  ];
  return Promise.all(
    heads.map(async (head) => ({ ...head, proof: await consistencyBetween(snapshot, head.size, size) })),
  );
}

/** The proof between two trees of the log, smaller first; empty where none is needed or none can be read. */
async function consistencyBetween(snapshot: LogSnapshot, one: number, other: number): Promise<readonly Uint8Array[]> {
  const [first, second] = one < other ? [one, other] : [other, one];
  if (first === 0 || first === second || second > snapshot.head.tree_size) return [];
  return readOr(() => readConsistencyProof(snapshot.nodes, first, second), []);
}
