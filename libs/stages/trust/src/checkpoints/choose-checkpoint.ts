import type { BundleAnchor, PinnedAnchor, TrustPolicyValues } from '@answer-evidence/contracts';
import { formatBase64 } from '@answer-evidence/encoding';
import { parseNote } from '@answer-evidence/note';
import type { LogSnapshot, StoredAnchor, VersionedTrustPolicy, Workspace } from '@answer-evidence/ports';
import { judgeAnchors } from '@answer-evidence/verifier';
import { confirmationOf } from '../anchoring/anchor-state.ts';
import type { TrustParts } from '../parts.ts';
import type { TreeHead } from '../publishing/sign-head.ts';
import { type CosignedCheckpoint, readCosignedCheckpoint } from './cosigned-checkpoint.ts';

type Reading = Pick<TrustParts, 'trust' | 'logs' | 'verifyEd25519' | 'verifyTimestamp'>;

/** The one checkpoint that everything said of a record speaks of. */
export type ChosenCheckpoint = {
  readonly head: TreeHead;
  /** The signed note with its cosignatures. */
  readonly note: string;
  readonly anchors: readonly BundleAnchor[];
  /** Anchors that the service itself has confirmed and that nobody can re-check from their artefact alone. */
  readonly confirmedAnchors: ReadonlySet<string>;
};

/** How many anchored checkpoints are judged before the newest published one is taken. */
const ANCHORED_MAX = 20;

/**
 * The oldest checkpoint that is ANCHORED under the policy in force and holds the leaf; else the newest published one that does; else the
 * committed head, which is signed like any other and not published yet.
 */
export async function chooseCheckpoint(
  parts: Reading,
  workspace: Workspace,
  policy: VersionedTrustPolicy,
  snapshot: LogSnapshot,
  lastLeaf: number,
): Promise<ChosenCheckpoint> {
  const sizes = await parts.trust.confirmedSizes(workspace.id, { above: lastLeaf }, ANCHORED_MAX);
  const anchored = await findAnchored(parts, workspace, policy, sizes);
  if (anchored !== undefined) return anchored;
  const newest = await parts.trust.newestPublished(workspace.id);
  if (newest !== undefined && newest.tree_size > lastLeaf) {
    const checkpoint = await readCosignedCheckpoint(parts, workspace, newest, policy);
    return chosen(checkpoint, policy, await parts.trust.anchorsOf(workspace.id, newest.tree_size));
  }
  const head = { size: snapshot.head.tree_size, root: snapshot.root };
  const note = (await parts.logs.signer(workspace.id)).sign(head);
  return { head, note, anchors: [], confirmedAnchors: new Set() };
}

/** The first of the published trees of these sizes that is ANCHORED under the policy, or undefined. */
export async function findAnchored(
  parts: Reading,
  workspace: Workspace,
  policy: VersionedTrustPolicy,
  sizes: readonly number[],
): Promise<(ChosenCheckpoint & { readonly publishedAt: number }) | undefined> {
  for (const size of sizes) {
    const row = await parts.trust.findPublished(workspace.id, size);
    if (row === undefined) continue;
    const checkpoint = await readCosignedCheckpoint(parts, workspace, row, policy);
    if (checkpoint.quorumReached === false) continue;
    const candidate = chosen(checkpoint, policy, await parts.trust.anchorsOf(workspace.id, size));
    if (await isAnchored(parts, policy.values, candidate)) return { ...candidate, publishedAt: row.published_at };
  }
  return undefined;
}

async function isAnchored(
  { verifyTimestamp }: Reading,
  values: TrustPolicyValues,
  { note, anchors, confirmedAnchors }: ChosenCheckpoint,
): Promise<boolean> {
  try {
    const { isReached } = await judgeAnchors({
      text: parseNote(note).text,
      artefacts: anchors,
      pinned: pinsOf(values),
      anchorsRequired: values.anchors_required,
      verifyTimestamp,
      confirmedAnchors,
    });
    return isReached;
  } catch {
    // An artefact that does not hold vouches for nothing; the check of whoever asks for this checkpoint names it.
    return false;
  }
}

/** The anchors that a policy demands, as a verifier pins them. */
export function pinsOf(values: TrustPolicyValues): readonly PinnedAnchor[] {
  return values.anchors.map((anchor) => ({
    anchor_id: anchor.id,
    type: anchor.type,
    required: anchor.type !== 'file' && anchor.required,
    certificate_pem: anchor.type === 'rfc3161' ? anchor.certificate_pem : null,
  }));
}

function chosen(
  { row, note }: CosignedCheckpoint,
  policy: VersionedTrustPolicy,
  stored: readonly StoredAnchor[],
): ChosenCheckpoint {
  const types = new Map(policy.values.anchors.map(({ id, type }) => [id, type]));
  const confirmed = stored.flatMap((one) => {
    const artefact = confirmationOf(one)?.artefact;
    const { anchor_id: id, type } = one.anchor;
    return artefact === undefined || artefact === null || types.get(id) !== type
      ? []
      : [{ anchor_id: id, type, artefact: formatBase64(artefact) }];
  });
  return {
    head: { size: row.tree_size, root: row.root },
    note,
    anchors: confirmed,
    confirmedAnchors: new Set(confirmed.filter(({ type }) => type === 'object-lock').map(({ anchor_id: id }) => id)),
  };
}
