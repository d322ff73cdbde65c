import type { BundleRenewal } from '@answer-evidence/contracts';
import { sha256, sha512 } from '@answer-evidence/digest';
import { formatHex, parseHex, utf8 } from '@answer-evidence/encoding';
import { type ArchivePath, type ArchiveTimestamp, rehashChains, rootOfArchivePath } from '@answer-evidence/merkle';

/**
 * The time-stamps from a token on, as far as they were followed (RFC 4998 section 5). The first chain is over hashes of
 * SHA-256; a second one, of SHA-512, begins with the renewal that hashed everything anew.
 */
export type ArchiveChain = {
  /** The text of the checkpoint that the token is over. */
  readonly text: string;
  readonly chains: readonly [readonly ArchiveTimestamp[], ...(readonly ArchiveTimestamp[])[]];
};

/** A renewal that covers a chain, its place among the renewals, and where its tree has the chain. */
type Covering = {
  readonly index: number;
  readonly renewal: BundleRenewal;
  readonly path: ArchivePath;
  readonly root: Uint8Array;
};

/** The chain of a token (a ContentInfo) over a checkpoint's text. */
export function beginChain(text: string, token: Uint8Array): ArchiveChain {
  return { text, chains: [[{ token }]] };
}

/** The first renewal from an index on that covers the chain; undefined where none does. */
export function findCovering(
  renewals: readonly BundleRenewal[],
  from: number,
  chain: ArchiveChain,
): Covering | undefined {
  const [own, anew] = [hashOfLast(chain), hashOfWhole(chain)].map((hash) => hash && formatHex(hash));
  for (const [index, renewal] of renewals.entries()) {
    if (index < from) continue;
    const wanted = isOfLastChain(renewal, chain) ? own : anew;
    const found = renewal.paths.find(([first]) => wanted !== undefined && first?.includes(wanted) === true);
    if (found === undefined) continue;
    const path = parsePath(found);
    return { index, renewal, path, root: rootOfArchivePath(path) };
  }
  return undefined;
}

/** The chain with the token of a renewal that covers it. */
export function extendChain(chain: ArchiveChain, { renewal, path }: Covering, token: Uint8Array): ArchiveChain {
  const { text, chains } = chain;
  const next = { path, token };
  if (!isOfLastChain(renewal, chain)) return { text, chains: [...chains, [next]] };
  const [first, ...others] = chains;
  const last = others.pop();
  return last === undefined
    ? { text, chains: [[...first, next]] }
    : { text, chains: [first, ...others, [...last, next]] };
}

/** The root that a path of a bundle leads to. */
export function rootOfPath(path: BundleRenewal['paths'][number]): Uint8Array {
  return rootOfArchivePath(parsePath(path));
}

function parsePath(path: BundleRenewal['paths'][number]): ArchivePath {
  return path.map((group) => group.map((hash) => parseHex(hash)));
}

function isOfLastChain({ hash }: BundleRenewal, { chains }: ArchiveChain): boolean {
  return (hash === undefined) === (chains.length === 1);
}

/** What a renewal by the same hash covers: the last token. */
function hashOfLast({ chains }: ArchiveChain): Uint8Array | undefined {
  const token = chains.at(-1)?.at(-1)?.token;
  return token && (chains.length === 1 ? sha256 : sha512)(token);
}

/** What a renewal covers that hashes everything anew. After SHA-512 there is no other hash. */
function hashOfWhole({ text, chains }: ArchiveChain): Uint8Array | undefined {
  return chains.length === 1 ? rehashChains(utf8(text), chains) : undefined;
}
