import { type BundleAnchor, type BundleRenewal, isTokenAnchor } from '@answer-evidence/contracts';
import { sha256 } from '@answer-evidence/digest';
import { formatBase64, formatHex, parseBase64 } from '@answer-evidence/encoding';
import { type ArchivePath, buildArchiveTree, findArchivePath } from '@answer-evidence/merkle';
import type { StoredAnchor, Workspace } from '@answer-evidence/ports';
import type { AttemptRow } from '@answer-evidence/tables';
import { confirmationOf } from '../anchoring/anchor-state.ts';
import type { TrustDeps } from '../deps.ts';
import { covers, parseRenewalId, readRenewal } from './stored-renewal.ts';

/** A renewal that was confirmed, and the hash of its token. */
type Renewal = { readonly stored: StoredAnchor; readonly made: AttemptRow; readonly hash: Uint8Array };

/** The renewals that lead from the tokens of a bundle to the newest one in the fewest steps, oldest first. */
export async function readRenewals(
  { trust, hashToken }: Pick<TrustDeps, 'trust' | 'hashToken'>,
  { id }: Workspace,
  anchors: readonly BundleAnchor[],
): Promise<readonly BundleRenewal[]> {
  const tokens = anchors.filter(isTokenAnchor);
  if (tokens.length === 0) return [];
  const renewals: Renewal[] = [];
  for (const stored of await trust.renewals(id)) {
    const made = confirmationOf(stored);
    if (made?.artefact) renewals.push({ stored, made, hash: await hashToken(made.artefact) });
  }
  if (renewals.length === 0) return [];
  const covered = new Map<Renewal, Map<string, Uint8Array>>();
  for (const { artefact } of tokens)
    for (const [renewal, hash] of stepsFrom(renewals, await hashToken(parseBase64(artefact))))
      covered.set(renewal, (covered.get(renewal) ?? new Map<string, Uint8Array>()).set(formatHex(hash), hash));
  return renewals.flatMap((renewal) => {
    const hashes = covered.get(renewal);
    return hashes === undefined ? [] : [describe(renewal, [...hashes.values()])];
  });
}

/** The steps from a token on: each to the last renewal that came before the certificates of the one before ended. */
function stepsFrom(renewals: readonly Renewal[], token: Uint8Array): readonly (readonly [Renewal, Uint8Array])[] {
  const first = renewals.find(({ stored }) => covers(stored, token));
  if (first === undefined) return [];
  const steps: (readonly [Renewal, Uint8Array])[] = [[first, token]];
  for (let last = first; ;) {
    const { hash } = last;
    const end = last.made.ends_at ?? Infinity;
    const next = renewals.findLast(({ stored, made }) => (made.anchored_at ?? 0) <= end && covers(stored, hash));
    if (next === undefined) return steps;
    steps.push([next, hash]);
    last = next;
  }
}

function describe({ stored, made }: Renewal, tokens: readonly Uint8Array[]): BundleRenewal {
  const { covered, lists } = readRenewal(stored);
  const tree = buildArchiveTree(covered);
  const pathOf = (hash: Uint8Array) => formatPath(findArchivePath(tree, hash) ?? []);
  return {
    anchor_id: parseRenewalId(stored.anchor.anchor_id).anchorId,
    type: 'rfc3161',
    artefact: formatBase64(made.artefact ?? new Uint8Array()),
    paths: tokens.map(pathOf),
    revocation_lists: lists.map((list) => ({ list: formatBase64(list), path: pathOf(sha256(list)) })),
  };
}

function formatPath(path: ArchivePath): string[][] {
  return path.map((group) => group.map((hash) => formatHex(hash)));
}
