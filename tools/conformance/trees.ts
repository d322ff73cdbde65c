import { leafHash, nodeHash } from '@answer-evidence/merkle';

/** The root of a Merkle tree (RFC 6962). */
export function rootOf(hashes: readonly Uint8Array[]): Uint8Array {
  const [only = new Uint8Array(32)] = hashes;
  if (hashes.length <= 1) return only;
  const left = leftOf(hashes.length);
  return nodeHash(rootOf(hashes.slice(0, left)), rootOf(hashes.slice(left)));
}

/** The inclusion proof of a leaf (RFC 6962, section 2.1.1). */
export function pathOf(hashes: readonly Uint8Array[], index: number): readonly Uint8Array[] {
  if (hashes.length === 1) return [];
  const left = leftOf(hashes.length);
  return index < left
    ? [...pathOf(hashes.slice(0, left), index), rootOf(hashes.slice(left))]
    : [...pathOf(hashes.slice(left), index - left), rootOf(hashes.slice(0, left))];
}

/** The proof that a tree begins with the tree of its first leaves (RFC 6962, section 2.1.2). */
export function consistencyOf(hashes: readonly Uint8Array[], size: number, isWhole = true): readonly Uint8Array[] {
  if (size === hashes.length) return isWhole ? [] : [rootOf(hashes)];
  const left = leftOf(hashes.length);
  return size <= left
    ? [...consistencyOf(hashes.slice(0, left), size, isWhole), rootOf(hashes.slice(left))]
    : [...consistencyOf(hashes.slice(left), size - left, false), rootOf(hashes.slice(0, left))];
}

/** The leaf hashes of entries. */
export function hashesOf(entries: readonly string[]): readonly Uint8Array[] {
  return entries.map((entry) => leafHash(entry));
}

function leftOf(size: number): number {
  return 2 ** Math.ceil(Math.log2(size) - 1);
}
