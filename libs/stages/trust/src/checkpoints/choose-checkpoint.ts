import { type BundleAnchor, isExternalAnchor, type TrustPolicyValues } from '@answer-evidence/contracts';
import { formatBase64 } from '@answer-evidence/encoding';
import { evaluateQuorum, parseNote, parseVkey, parseWitnessPolicy } from '@answer-evidence/note';
import type { LogSnapshot, StoredAnchor, TreeRange, VersionedTrustPolicy, Workspace } from '@answer-evidence/ports';
import {
  type AnchorJudgement,
  judgeAnchors,
  pinAnchors,
  type TimeBound,
  type YoungestLeaf,
} from '@answer-evidence/verify';
import { confirmationOf } from '../anchoring/anchor-state.ts';
import type { TrustDeps } from '../deps.ts';
import type { TreeHead } from '../publishing/sign-head.ts';
import { areAnchorsThere } from './are-anchors-there.ts';
import { type CosignedCheckpoint, readCosignedCheckpoint } from './cosigned-checkpoint.ts';

type Reading = Pick<TrustDeps, 'trust' | 'logs' | 'verifySignature' | 'verifyTimestamp'>;

/** The one checkpoint that everything said of a record speaks of. */
export type ChosenCheckpoint = {
  readonly head: TreeHead;
  /** The signed note with its cosignatures. */
  readonly note: string;
  readonly anchors: readonly BundleAnchor[];
  /** Anchors that the service itself has confirmed and that nobody can re-check from their artefact alone. */
  readonly confirmedAnchors: ReadonlySet<string>;
};

/** How many trees are judged one after another, nearest first. */
const JUDGED_MAX = 20;
/** How many trees are read at first, which mostly has the one that is looked for, and then at once. */
const TREES_READ_FIRST = 20;
const TREES_READ_MAX = 1_000;

/**
 * The oldest checkpoint that covers the leaf and is ANCHORED under the policy in force; otherwise the oldest with a
 * token of an authority that the policy no longer names; otherwise the newest published one that covers the leaf;
 * otherwise the committed head, which is signed but not published yet. Where the newest was published after
 * `passOverFrom` (µs) and its witnesses have not seen it, the newest one that they have seen is taken: what readers are
 * told is not to change for the seconds after each entry.
 */
export async function chooseCheckpoint(
  deps: Reading,
  workspace: Workspace,
  policy: VersionedTrustPolicy,
  snapshot: LogSnapshot,
  lastLeaf: number,
  passOverFrom = Number.POSITIVE_INFINITY,
): Promise<ChosenCheckpoint> {
  const anchored = await findAnchored(deps, workspace, policy, { above: lastLeaf });
  if (anchored !== undefined) return anchored;
  const retired = await findRetired(deps, workspace, policy, lastLeaf);
  if (retired !== undefined) return retired;
  const newest = await deps.trust.newestPublished(workspace.id);
  if (newest !== undefined && newest.tree_size > lastLeaf) {
    const checkpoint = await readCosignedCheckpoint(deps, workspace, newest, policy);
    // Each entry leads to a new checkpoint, and witnesses take their time: what they vouched for before, they still do.
    const shown =
      checkpoint.quorumReached === false && newest.published_at > passOverFrom
        ? ((await findWitnessed(deps, workspace, policy, { above: lastLeaf, upTo: newest.tree_size })) ?? checkpoint)
        : checkpoint;
    return chosen(shown, policy, await deps.trust.anchorsOf(workspace.id, shown.row.tree_size));
  }
  const head = { size: snapshot.head.tree_size, root: snapshot.root };
  const note = await (await deps.logs.signer(workspace.id)).sign(head);
  return { head, note, anchors: [], confirmedAnchors: new Set() };
}

/**
 * The smallest published tree above a leaf that has a token of an authority which the policy no longer names: readers
 * whose trust file is from its time pin it. One that the witnesses of the policy have not seen is passed over.
 */
async function findRetired(
  deps: Reading,
  workspace: Workspace,
  policy: VersionedTrustPolicy,
  lastLeaf: number,
): Promise<ChosenCheckpoint | undefined> {
  const stored = await deps.trust.tokenAnchors(workspace.id, lastLeaf + 1, JUDGED_MAX);
  for (const one of stored.toReversed()) {
    if (confirmationOf(one) === undefined || isNamed(policy, one.anchor)) continue;
    const row = await deps.trust.findPublished(workspace.id, one.anchor.tree_size);
    const checkpoint = row && (await readCosignedCheckpoint(deps, workspace, row, policy));
    if (checkpoint !== undefined && checkpoint.quorumReached !== false)
      return chosen(checkpoint, policy, await deps.trust.anchorsOf(workspace.id, checkpoint.row.tree_size));
  }
  return undefined;
}

/** Whether a policy names an anchor. */
export function isNamed(
  { values }: VersionedTrustPolicy,
  { anchor_id: id, type }: Pick<BundleAnchor, 'anchor_id' | 'type'>,
): boolean {
  return values.anchors.some((anchor) => anchor.id === id && anchor.type === type);
}

/** The newest published tree between two sizes that the witnesses of the policy have seen. */
async function findWitnessed(
  deps: Reading,
  workspace: Workspace,
  policy: VersionedTrustPolicy,
  { above, upTo }: { readonly above: number; readonly upTo: number },
): Promise<CosignedCheckpoint | undefined> {
  const witnesses = parseWitnessPolicy(policy.values.witness_policy);
  const logKeys = (await deps.logs.signer(workspace.id)).keys.map(({ vkey }) => parseVkey(vkey));
  for (const { treeSize, cosigners } of await deps.trust.cosignedTrees(workspace.id, upTo, JUDGED_MAX)) {
    if (treeSize <= above) return undefined;
    if (!evaluateQuorum(witnesses, cosigners, logKeys).isMet) continue;
    const row = await deps.trust.findPublished(workspace.id, treeSize);
    const checkpoint = row && (await readCosignedCheckpoint(deps, workspace, row, policy));
    if (checkpoint?.quorumReached === true) return checkpoint;
  }
  return undefined;
}

/** A checkpoint that is ANCHORED under the policy in force. */
export type AnchoredCheckpoint = ChosenCheckpoint & {
  readonly publishedAt: number;
  /** When its anchors state that it existed; null where none of them states a time. */
  readonly attested: TimeBound | null;
};

/**
 * The nearest published tree of the range that is ANCHORED under the policy, or undefined. Trees that lack an anchor or
 * a cosignature are left out by what is stored, however many they are. A tree that has them all fails only by an
 * artefact that does not hold, such as every token from before the pinned certificate was changed; so, when the nearest
 * ones fail, the rest is searched by halves for where that ends.
 */
export async function findAnchored(
  deps: Reading,
  workspace: Workspace,
  policy: VersionedTrustPolicy,
  range: TreeRange,
): Promise<AnchoredCheckpoint | undefined> {
  const untried: number[] = [];
  let judged = 0;
  for await (const size of readAttestedSizes(deps, workspace, policy, range)) {
    if (judged === JUDGED_MAX) {
      untried.push(size);
      continue;
    }
    judged++;
    const anchored = await judgeTree(deps, workspace, policy, size);
    if (anchored !== undefined) return anchored;
  }
  let nearest: AnchoredCheckpoint | undefined;
  for (let [from, to] = [0, untried.length]; from < to;) {
    const middle = Math.floor((from + to) / 2);
    const anchored = await judgeTree(deps, workspace, policy, untried[middle] ?? 0);
    if (anchored === undefined) from = middle + 1;
    else [nearest, to] = [anchored, middle];
  }
  return nearest;
}

/** The sizes of the trees in the range that have all that the policy demands as far as is stored, nearest first. */
async function* readAttestedSizes(
  { trust, logs }: Reading,
  { id }: Workspace,
  { values }: VersionedTrustPolicy,
  range: TreeRange,
): AsyncGenerator<number> {
  if (!values.anchors.some(isExternalAnchor)) return;
  const witnesses = parseWitnessPolicy(values.witness_policy);
  const logKeys = (await logs.signer(id)).keys.map(({ vkey }) => parseVkey(vkey));
  let [rest, limit] = [range, TREES_READ_FIRST];
  for (;;) {
    const trees = await trust.confirmedTrees(id, rest, limit);
    for (const tree of trees)
      if (areAnchorsThere(values, tree) && evaluateQuorum(witnesses, tree.cosigners, logKeys).isMet)
        yield tree.treeSize;
    const last = trees.at(-1)?.treeSize ?? 0;
    if (trees.length < limit) return;
    rest = 'above' in range ? { above: last } : { upTo: last - 1 };
    limit = TREES_READ_MAX;
  }
}

async function judgeTree(
  deps: Reading,
  workspace: Workspace,
  policy: VersionedTrustPolicy,
  size: number,
): Promise<AnchoredCheckpoint | undefined> {
  const row = await deps.trust.findPublished(workspace.id, size);
  if (row === undefined) return undefined;
  const checkpoint = await readCosignedCheckpoint(deps, workspace, row, policy);
  if (checkpoint.quorumReached === false) return undefined;
  const candidate = chosen(checkpoint, policy, await deps.trust.anchorsOf(workspace.id, size));
  const [last] = await deps.logs.leaves(workspace.id, size - 1, size);
  const youngest = last === undefined ? undefined : { name: `leaf ${size - 1}`, at: last.at };
  const judgement = await judgeCandidate(deps, policy.values, candidate, youngest);
  if (judgement?.isReached !== true) return undefined;
  return { ...candidate, publishedAt: row.published_at, attested: judgement.notLaterThan };
}

async function judgeCandidate(
  { verifySignature, verifyTimestamp }: Reading,
  values: TrustPolicyValues,
  { note, anchors, confirmedAnchors }: ChosenCheckpoint,
  youngest: YoungestLeaf | undefined,
): Promise<AnchorJudgement | undefined> {
  try {
    return await judgeAnchors({
      text: parseNote(note).text,
      artefacts: anchors,
      pinned: pinAnchors(values),
      anchorsRequired: values.anchors_required,
      verifySignature,
      verifyTimestamp,
      confirmedAnchors,
      youngest,
    });
  } catch {
    // An artefact that does not hold vouches for nothing; the check of anyone who asks for this checkpoint names it.
    return undefined;
  }
}

/** What every anchor has confirmed of a checkpoint: those of the policy first, then others that it named once. */
function chosen(
  { row, note }: CosignedCheckpoint,
  policy: VersionedTrustPolicy,
  stored: readonly StoredAnchor[],
): ChosenCheckpoint {
  const confirmed = stored.flatMap((one) => {
    const artefact = confirmationOf(one)?.artefact;
    const { anchor_id: id, type } = one.anchor;
    return artefact === undefined || artefact === null
      ? []
      : [{ anchor_id: id, type, artefact: formatBase64(artefact) }];
  });
  const named = confirmed.filter((one) => isNamed(policy, one));
  const retired = confirmed.filter((one) => isExternalAnchor(one) && !isNamed(policy, one));
  return {
    head: { size: row.tree_size, root: row.root },
    note,
    anchors: [...named, ...retired],
    confirmedAnchors: new Set(named.filter(({ type }) => type === 'object-lock').map(({ anchor_id: id }) => id)),
  };
}
