import { sha256, sha512 } from '@answer-evidence/digest';
import { formatHex, utf8 } from '@answer-evidence/encoding';
import { type ArchivePath, buildArchiveTree, findArchivePath, rehashChains } from '@answer-evidence/merkle';
import type { StoredAnchor } from '@answer-evidence/ports';
import type { AttemptRow } from '@answer-evidence/tables';
import { confirmationOf } from '../anchoring/anchor-state.ts';
import type { TrustDeps } from '../deps.ts';
import { covers, readRenewal, type RenewalContents } from './stored-renewal.ts';

/** A renewal that was confirmed. */
export type Renewal = {
  readonly stored: StoredAnchor;
  readonly made: AttemptRow;
  readonly token: Uint8Array;
  readonly contents: RenewalContents;
  readonly has: (hash: Uint8Array) => boolean;
  /** The place of a hash that it covers. */
  readonly pathOf: (hash: Uint8Array) => ArchivePath;
};

/** A renewal that covers what came before, and as which hash. */
type ArchiveStep = { readonly renewal: Renewal; readonly hash: Uint8Array };

/** The renewals that lead from a token to the newest one in the fewest steps, oldest first. */
type ArchiveSteps = {
  readonly steps: readonly ArchiveStep[];
  /** What a renewal covers of the token that hashes everything anew. */
  readonly anew: Uint8Array;
};

/** The renewals that were confirmed, oldest first. Those that are asked for thousands of hashes are indexed. */
export function openRenewals(
  stored: readonly StoredAnchor[],
  extractToken: TrustDeps['extractToken'],
  isIndexed = false,
): readonly Renewal[] {
  return stored.flatMap((one) => {
    const made = confirmationOf(one);
    if (!made?.artefact) return [];
    const contents = readRenewal(one);
    const treeOf = once(() => buildArchiveTree(contents.covered));
    const indexOf = once(() => new Set(contents.covered.map((hash) => formatHex(hash))));
    return [
      {
        stored: one,
        made,
        token: extractToken(made.artefact),
        contents,
        has: (hash: Uint8Array) => (isIndexed ? indexOf().has(formatHex(hash)) : covers(one, hash)),
        pathOf: (hash: Uint8Array) => findArchivePath(treeOf(), hash) ?? [],
      },
    ];
  });
}

/** The steps from a token over the text of a checkpoint on. */
export function followToken(renewals: readonly Renewal[], text: string, token: Uint8Array): ArchiveSteps {
  const [old, later] = (['sha-256', 'sha-512'] as const).map((hash) =>
    renewals.filter(({ contents }) => contents.hash === hash),
  );
  const first = stepsFrom(old ?? [], sha256(token), sha256);
  const chain = [
    { token },
    ...first.map(({ renewal, hash }) => ({ path: renewal.pathOf(hash), token: renewal.token })),
  ];
  const anew = rehashChains(utf8(text), [chain]);
  return { steps: [...first, ...stepsFrom(later ?? [], anew, sha512)], anew };
}

/** Each to the last renewal that came before the certificates of the one before ended. */
function stepsFrom(
  renewals: readonly Renewal[],
  hash: Uint8Array,
  digest: (token: Uint8Array) => Uint8Array,
): readonly ArchiveStep[] {
  const steps: ArchiveStep[] = [];
  let next = renewals.find((one) => one.has(hash));
  for (let own = hash; next !== undefined;) {
    steps.push({ renewal: next, hash: own });
    const end = next.made.ends_at ?? Infinity;
    own = digest(next.token);
    const wanted = own;
    next = renewals.findLast((one) => (one.made.anchored_at ?? 0) <= end && one.has(wanted));
  }
  return steps;
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
