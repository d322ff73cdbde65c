import { equalBytes } from '@answer-evidence/encoding';
import { appendLeaves, frontierLength, MerkleError, TILE_WIDTH } from '@answer-evidence/merkle';
import type { Head } from './head.ts';

/** Whether these are the hashes of a level that are in no full tile yet, by the frontier of the head. */
export function areEdgeHashes(
  { treeSize, frontier }: Pick<Head, 'treeSize' | 'frontier'>,
  level: number,
  hashes: readonly Uint8Array[],
): boolean {
  if (hashes.length !== Math.floor(treeSize / TILE_WIDTH ** level) % TILE_WIDTH) return false;
  try {
    const made = appendLeaves(0, [], hashes).frontier;
    // The frontier has the full tiles of the level first, and what is smaller than a hash of it last.
    const at = frontierLength(Math.floor(treeSize / TILE_WIDTH ** (level + 1)));
    return made.every((hash, n) => equalBytes(hash, frontier[at + n] ?? new Uint8Array()));
  } catch (error) {
    // A hash that was cut.
    if (error instanceof MerkleError) return false;
    throw error;
  }
}
