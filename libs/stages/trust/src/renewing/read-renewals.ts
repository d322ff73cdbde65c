import { type BundleAnchor, type BundleRenewal, isTokenAnchor } from '@answer-evidence/contracts';
import { formatBase64, formatHex, parseBase64 } from '@answer-evidence/encoding';
import type { ArchivePath } from '@answer-evidence/merkle';
import type { Workspace } from '@answer-evidence/ports';
import type { TrustDeps } from '../deps.ts';
import { followToken, openRenewals, type Renewal } from './archive-steps.ts';
import { digestWith, parseRenewalId } from './stored-renewal.ts';

/**
 * The renewals that lead from the tokens of a bundle, over the text of its checkpoint, to the newest one in the fewest
 * steps, oldest first.
 */
export async function readRenewals(
  { trust, extractToken }: Pick<TrustDeps, 'trust' | 'extractToken'>,
  { id }: Workspace,
  anchors: readonly BundleAnchor[],
  text: string,
): Promise<readonly BundleRenewal[]> {
  const tokens = anchors.filter(isTokenAnchor);
  if (tokens.length === 0) return [];
  const renewals = openRenewals(await trust.renewals(id), extractToken);
  if (renewals.length === 0) return [];
  const covered = new Map<Renewal, Map<string, Uint8Array>>();
  for (const { artefact } of tokens)
    for (const { renewal, hash } of followToken(renewals, text, extractToken(parseBase64(artefact))).steps)
      covered.set(renewal, (covered.get(renewal) ?? new Map<string, Uint8Array>()).set(formatHex(hash), hash));
  return renewals.flatMap((renewal) => {
    const hashes = covered.get(renewal);
    return hashes === undefined ? [] : [describe(renewal, [...hashes.values()])];
  });
}

function describe({ stored, made, contents, pathOf }: Renewal, tokens: readonly Uint8Array[]): BundleRenewal {
  const { hash, lists } = contents;
  return {
    anchor_id: parseRenewalId(stored.anchor.anchor_id).anchorId,
    type: 'rfc3161',
    artefact: formatBase64(made.artefact ?? new Uint8Array()),
    ...(hash === 'sha-256' ? {} : { hash }),
    paths: tokens.map((token) => formatPath(pathOf(token))),
    revocation_lists: lists.map((list) => ({
      list: formatBase64(list),
      path: formatPath(pathOf(digestWith(hash, list))),
    })),
  };
}

function formatPath(path: ArchivePath): string[][] {
  return path.map((group) => group.map((hash) => formatHex(hash)));
}
