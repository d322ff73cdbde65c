import { TILE_WIDTH } from '@answer-evidence/merkle';
import type { LeafRow } from '@answer-evidence/tables';

/** The leaf hashes after the last full tile that this process knows: up to `size`, from `size - hashes.length`. */
export type LeafTail = { readonly size: number; readonly hashes: readonly Uint8Array[] };

/** The tail after more leaves. Knows nothing older than what it was given. */
export function growTail(tail: LeafTail, leaves: readonly LeafRow[]): LeafTail {
  const size = tail.size + leaves.length;
  const hashes = [...tail.hashes, ...leaves.map((leaf) => leaf.leaf_hash)];
  return { size, hashes: hashes.slice(Math.max(0, hashes.length - (size % TILE_WIDTH))) };
}

/** The hashes number `from` to below `to` when the tail holds them all, else undefined. */
export function sliceTail(tail: LeafTail | undefined, from: number, to: number): readonly Uint8Array[] | undefined {
  if (tail === undefined || tail.size !== to) return undefined;
  const start = from - (tail.size - tail.hashes.length);
  return start < 0 ? undefined : tail.hashes.slice(start);
}
