import { sha256 } from '@answer-evidence/digest';
import { concatBytes, equalBytes, formatHex } from '@answer-evidence/encoding';

/**
 * The place of a hash in a hash tree of RFC 4998 (its `reducedHashtree`): groups of hashes from the leaf up. The first
 * has the hash itself, and each later one lacks the hash of the one before.
 */
export type ArchivePath = readonly (readonly Uint8Array[])[];

/** A hash tree of RFC 4998, level by level; the last has the root alone. */
type ArchiveTree = { readonly levels: readonly (readonly Uint8Array[])[]; readonly root: Uint8Array };

/**
 * Builds the tree of RFC 4998 section 4.2 over hashes, in groups of two: each node is the hash of its children in
 * ascending order, and a hash without a neighbour rises as it is. Of equal hashes one is kept. Throws for none.
 */
export function buildArchiveTree(hashes: readonly Uint8Array[]): ArchiveTree {
  const leaves = [...new Map(hashes.map((hash) => [formatHex(hash), hash])).entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, hash]) => hash);
  const levels: (readonly Uint8Array[])[] = [leaves];
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
  let index = leaves.findIndex((leaf) => equalBytes(leaf, hash));
  if (index === -1) return undefined;
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
  return sha256(concatBytes(...inOrder));
}
