import { isExternalAnchor } from '@answer-evidence/contracts';
import { formatHex } from '@answer-evidence/encoding';
import { evaluateQuorum, parseWitnessPolicy } from '@answer-evidence/note';
import type {
  Attestations,
  Clock,
  FailingVoucher,
  LogStore,
  StoredAnchor,
  TrustStore,
  VersionedTrustPolicy,
} from '@answer-evidence/ports';
import { confirmationOf } from '../anchoring/anchor-state.ts';
import { areAnchorsThere } from '../checkpoints/are-anchors-there.ts';
import type { TrustDeps } from '../deps.ts';
import { findFailingRenewal } from './read-renewal-standing.ts';

/** What is read. */
type Deps = { readonly trust: TrustStore; readonly logs: LogStore; readonly clock: Clock } & Pick<
  TrustDeps,
  'extractToken'
>;

/** Trees that are looked at for one that somebody vouches for. */
const TREES_MAX = 1_000;
/** Anchors that are looked at for the last attempt of each: some rounds of them. */
const ANCHORS_MAX = 60;
/** An anchor that nobody has tried for so long fails: nothing runs that would try it. */
const UNTRIED_MICROS = 600_000_000;

/** Who vouches for a log, how far, and who of those that should does not. */
export async function readAttestations(deps: Deps, workspaceId: string): Promise<Attestations> {
  const { trust, logs } = deps;
  const policy = await trust.policy(workspaceId);
  const [published, { head }] = await Promise.all([trust.newestPublished(workspaceId), logs.snapshot(workspaceId)]);
  const atOf = async (size: number) =>
    size >= head.tree_size ? undefined : (await logs.leaves(workspaceId, size, size + 1))[0]?.at;
  const anchors = await readAnchors(deps, workspaceId, policy, head.tree_size);
  const witnesses = await readWitnesses(deps, workspaceId, policy, head.tree_size);
  const vouched = Math.max(anchors.size ?? 0, witnesses.size ?? 0);
  const failing: FailingVoucher[] = [];
  for (const { vouchedSize, ...one } of [...anchors.failing, ...witnesses.failing])
    failing.push({ ...one, since: await atOf(vouchedSize) });
  const renewal = findFailingRenewal(await trust.renewals(workspaceId), deps.extractToken);
  // Without an authority in the policy nobody would renew.
  if (renewal !== undefined && policy.values.anchors.length > 0)
    failing.push({ ...renewal, kind: 'renewal', isRequired: true });
  return {
    publishedSize: published?.tree_size ?? 0,
    publishedAt: published?.published_at,
    witnessedSize: witnesses.size,
    anchoredSize: anchors.size,
    exposedEntries: Math.max(0, head.tree_size - vouched),
    exposedSince: await atOf(vouched),
    failing,
  };
}

/** What fails, with the size of the largest tree that it vouched for. */
type Failing = Omit<FailingVoucher, 'since'> & { readonly vouchedSize: number };

async function readAnchors(
  { trust, clock }: Deps,
  workspaceId: string,
  { values }: VersionedTrustPolicy,
  treeSize: number,
): Promise<{ readonly size: number | null; readonly failing: readonly Failing[] }> {
  if (values.anchors.length === 0) return { size: null, failing: [] };
  const trees = await trust.confirmedTrees(workspaceId, { upTo: treeSize }, TREES_MAX);
  const { items } = await trust.listAnchors(workspaceId, { offset: 0, limit: ANCHORS_MAX });
  const failing = values.anchors.flatMap((anchor): Failing[] => {
    const own = items.filter((stored) => stored.anchor.anchor_id === anchor.id);
    // A round that has just begun says nothing yet.
    const last = own.find((stored) => stored.attempts.length > 0);
    const isUntried = own.some((stored) => isForgotten(stored, clock.nowMicros()));
    if (!isUntried && (last === undefined || confirmationOf(last) !== undefined)) return [];
    const confirmed = trees.find((tree) => tree.anchors.some(({ id }) => id === anchor.id));
    return [
      {
        kind: 'anchor',
        name: anchor.id,
        isRequired: isExternalAnchor(anchor) && anchor.required,
        vouchedSize: confirmed?.treeSize ?? 0,
        attempts: own.reduce(
          (sum, stored) => sum + (confirmationOf(stored) === undefined ? stored.attempts.length : 0),
          0,
        ),
        lastError: last?.attempts.at(-1)?.detail ?? null,
      },
    ];
  });
  return {
    failing,
    size: values.anchors.some(isExternalAnchor)
      ? (trees.find((tree) => areAnchorsThere(values, tree))?.treeSize ?? 0)
      : null,
  };
}

function isForgotten({ anchor, attempts }: StoredAnchor, nowMicros: number): boolean {
  return attempts.length === 0 && nowMicros - anchor.created_at > UNTRIED_MICROS;
}

async function readWitnesses(
  { trust }: Deps,
  workspaceId: string,
  { values }: VersionedTrustPolicy,
  treeSize: number,
): Promise<{ readonly size: number | null; readonly failing: readonly Failing[] }> {
  const policy = parseWitnessPolicy(values.witness_policy);
  const trees = await trust.cosignedTrees(workspaceId, treeSize, TREES_MAX);
  const isMet = (cosigners: readonly string[]) => evaluateQuorum(policy, cosigners, []).isMet;
  const states = new Map(
    (await trust.witnessStates(workspaceId)).map((state) => [formatHex(state.public_key), state] as const),
  );
  const everyone = policy.witnesses.map(({ vkey }) => formatHex(vkey.publicKey));
  const failing = policy.witnesses.flatMap(({ name, vkey }): Failing[] => {
    const key = formatHex(vkey.publicKey);
    const state = states.get(key);
    if (state === undefined || state.failures === 0) return [];
    return [
      {
        kind: 'witness',
        name,
        isRequired: policy.quorum !== null && !isMet(everyone.filter((other) => other !== key)),
        vouchedSize: state.tree_size ?? 0,
        attempts: state.failures,
        lastError: state.last_error,
      },
    ];
  });
  return {
    size: policy.quorum === null ? null : (trees.find(({ cosigners }) => isMet(cosigners))?.treeSize ?? 0),
    failing,
  };
}
