import type { Voucher } from '@answer-evidence/contracts';
import { MICROS_PER_SECOND } from '@answer-evidence/encoding';
import { evaluateQuorum, findQuorumTime, parseVkey, parseWitnessPolicy } from '@answer-evidence/note';
import type { VersionedTrustPolicy, Workspace } from '@answer-evidence/ports';
import type { TrustDeps } from '../deps.ts';
import { type AnchoredCheckpoint, findAnchored } from './choose-checkpoint.ts';
import { readCosignedCheckpoint } from './cosigned-checkpoint.ts';

type Reading = Pick<TrustDeps, 'trust' | 'logs' | 'verifySignature' | 'verifyTimestamp'>;

/** When a tree was attested, and by whom; nobody where the operator's word alone says when. */
export type AttestedBefore = { readonly micros: number; readonly by: readonly Voucher[] };

/** How many trees are judged, nearest first: one that is attested late says nothing of a record that came meanwhile. */
const TREES_JUDGED_MAX = 5;
/** How many trees are read at once. */
const TREES_READ_MAX = 1_000;

/**
 * When the last attested tree without the record was attested, before the time of the record: a record that comes
 * while a smaller tree waits for its witnesses or its time-stamp is older than that. Anchors attest a tree, and so does
 * a quorum of witnesses; the later one bounds more. `anchored` is the last ANCHORED tree without the record.
 */
export async function findAttestedBefore(
  deps: Reading,
  workspace: Workspace,
  policy: VersionedTrustPolicy,
  record: { readonly leafIndex: number; readonly at: number },
  anchored: AnchoredCheckpoint | undefined,
): Promise<AttestedBefore | undefined> {
  const byAnchors = await findByAnchors(deps, workspace, policy, anchored, record.at);
  const byWitnesses = await findByWitnesses(deps, workspace, policy, record);
  if (byAnchors === undefined || byWitnesses === undefined) return byAnchors ?? byWitnesses;
  // The operator's word alone bounds less than what anybody outside says.
  if (byAnchors.by.length === 0) return byWitnesses;
  return byAnchors.micros >= byWitnesses.micros ? byAnchors : byWitnesses;
}

async function findByAnchors(
  deps: Reading,
  workspace: Workspace,
  policy: VersionedTrustPolicy,
  anchored: AnchoredCheckpoint | undefined,
  recordedAt: number,
): Promise<AttestedBefore | undefined> {
  let found = anchored;
  for (let tries = 0; found !== undefined && tries < TREES_JUDGED_MAX; tries++) {
    const micros = found.attested?.micros ?? found.publishedAt;
    const by = (found.attested?.anchorIds ?? []).map((name) => ({ kind: 'anchor' as const, name }));
    if (micros <= recordedAt) return { micros, by };
    found = await findAnchored(deps, workspace, policy, { upTo: found.head.size - 1 });
  }
  return undefined;
}

async function findByWitnesses(
  deps: Reading,
  workspace: Workspace,
  policy: VersionedTrustPolicy,
  record: { readonly leafIndex: number; readonly at: number },
): Promise<AttestedBefore | undefined> {
  const witnesses = parseWitnessPolicy(policy.values.witness_policy);
  if (witnesses.quorum === null) return undefined;
  const logKeys = (await deps.logs.signer(workspace.id)).keys.map(({ vkey }) => parseVkey(vkey));
  let judged = 0;
  for await (const { treeSize, cosigners } of readCosignedTrees(deps, workspace, record.leafIndex)) {
    if (!evaluateQuorum(witnesses, cosigners, logKeys).isMet) continue;
    const row = await deps.trust.findPublished(workspace.id, treeSize);
    if (row === undefined) continue;
    const { cosignatures } = await readCosignedCheckpoint(deps, workspace, row, policy);
    const reached = findQuorumTime(witnesses, cosignatures, logKeys);
    const micros = reached === undefined ? Infinity : reached.seconds * MICROS_PER_SECOND;
    if (reached !== undefined && micros <= record.at)
      return { micros, by: reached.counted.map((name) => ({ kind: 'witness' as const, name })) };
    judged += 1;
    if (judged === TREES_JUDGED_MAX) return undefined;
  }
  return undefined;
}

/** The trees up to a size that anybody cosigned, largest first. */
async function* readCosignedTrees({ trust }: Reading, { id }: Workspace, treeSize: number) {
  for (let upTo = treeSize, limit = TREES_JUDGED_MAX; ; limit = TREES_READ_MAX) {
    const trees = await trust.cosignedTrees(id, upTo, limit);
    yield* trees;
    if (trees.length < limit) return;
    upTo = (trees.at(-1)?.treeSize ?? 0) - 1;
  }
}
