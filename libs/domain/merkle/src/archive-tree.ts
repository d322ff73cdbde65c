import { sha256, sha512 } from '@answer-evidence/digest';
import { concatBytes, formatHex } from '@answer-evidence/encoding';

const SHA512_BYTES = 64;

/**
 * The place of a hash in a hash tree of RFC 4998 (its `reducedHashtree`): groups of hashes from the leaf up. The first
 * has the hash itself, and each later one lacks the hash of the one before. All are of SHA-256, or all of SHA-512.
 */
export type ArchivePath = readonly (readonly Uint8Array[])[];

/** A hash tree of RFC 4998, level by level; the last has the root alone. */
type ArchiveTree = { readonly levels: readonly (readonly Uint8Array[])[]; readonly root: Uint8Array };

/**
 * Builds the tree of RFC 4998 section 4.2 over hashes of SHA-256, or of SHA-512, in groups of two: each node is the
 * hash of its children in ascending order, and a hash without a neighbour rises as it is; one that is alone is hashed.
 * Of equal hashes one is kept. Throws for none.
 */
export function buildArchiveTree(hashes: readonly Uint8Array[]): ArchiveTree {
  const leaves = [...new Map(hashes.map((hash) => [formatHex(hash), hash])).entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, hash]) => hash);
  const levels: (readonly Uint8Array[])[] = [leaves];
  if (leaves.length === 1) levels.push([hashGroup(leaves)]);
  for (let level = leaves; level.length > 1;) {
    const above: Uint8Array[] = [];
    for (let n = 0; n < level.length; n += 2) above.push(joinNodes(level.slice(n, n + 2)));
    levels.push(above);
    level = above;
  }
  const root = levels.at(-1)?.[0];
  if (root === undefined) throw new Error('a hash tree needs a hash');
  return { levels, root };
}

/** The place of a hash in the tree; undefined for one that is not in it. */
export function findArchivePath({ levels: [leaves = [], ...above] }: ArchiveTree, hash: Uint8Array) {
  let index = findLeaf(leaves, hash);
  if (index === undefined) return undefined;
  const path: Uint8Array[][] = [[hash]];
  for (const level of [leaves, ...above]) {
    const neighbour = level[index ^ 1];
    if (neighbour !== undefined) {
      const first = path[0];
      if (path.length === 1 && first?.length === 1) first.push(neighbour);
      else path.push([neighbour]);
    }
    index >>= 1;
  }
  return path satisfies ArchivePath;
}

/** Leaves are in ascending order, and may be a million. */
function findLeaf(leaves: readonly Uint8Array[], hash: Uint8Array): number | undefined {
  const wanted = formatHex(hash);
  let [from, to] = [0, leaves.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (formatHex(leaves[middle] ?? hash) < wanted) from = middle + 1;
    else to = middle;
  }
  const found = leaves[from];
  return found !== undefined && formatHex(found) === wanted ? from : undefined;
}

/** The root that a path leads to (RFC 4998 section 4.3). */
export function rootOfArchivePath([first = [], ...rest]: ArchivePath): Uint8Array {
  return rest.reduce((below, group) => hashGroup([...group, below]), hashGroup(first));
}

function joinNodes(nodes: readonly Uint8Array[]): Uint8Array {
  const [first, second] = nodes;
  return first !== undefined && second === undefined ? first : hashGroup(nodes);
}

function hashGroup(group: readonly Uint8Array[]): Uint8Array {
  const inOrder = group.toSorted((a, b) => (formatHex(a) < formatHex(b) ? -1 : 1));
  const hash = group[0]?.length === SHA512_BYTES ? sha512 : sha256;
  return hash(concatBytes(...inOrder));
}
