import { formatEntry } from '@answer-evidence/commitments';
import { concatBytes, equalBytes, utf8 } from '@answer-evidence/encoding';
import { readRoot } from '@answer-evidence/ledger';
import { leafHash, nodeFromTile, TILE_WIDTH, type TilePath } from '@answer-evidence/merkle';
import { type LogSnapshot, StoredDamageError, type Workspace } from '@answer-evidence/ports';
import type { TrustDeps } from '../../deps.ts';

const HASH_BYTES = 32;

/**
 * The hashes of a tile, or the entries of a bundle; undefined when the log is not as large. Readers keep them for good,
 * so they are held against the tree before. Throws `StoredDamageError` for what was altered, cut or lost.
 */
export async function readTileBody(
  { logs }: TrustDeps,
  workspace: Workspace,
  snapshot: LogSnapshot,
  tile: TilePath,
): Promise<Uint8Array | undefined> {
  const level = tile.level === 'entries' ? 0 : tile.level;
  const from = tile.index * TILE_WIDTH;
  const to = from + tile.width;
  // How many hashes the level has: only whole subtrees have one.
  const hashesThere = Math.floor(snapshot.head.tree_size / TILE_WIDTH ** level);
  if (to > hashesThere) return undefined;
  const end = Math.min(from + TILE_WIDTH, hashesThere);
  const hashes = await logs.tileHashes(workspace.id, level, from, end);
  if (hashes.length !== end - from || hashes.some(({ length }) => length !== HASH_BYTES))
    throw new StoredDamageError('hashes of a tile are missing or were cut');
  if (end === from + TILE_WIDTH) {
    const [root] = await logs.tileHashes(workspace.id, level + 1, tile.index, tile.index + 1);
    if (root === undefined) throw new StoredDamageError('the root of a tile is missing');
    if (!equalBytes(nodeFromTile(hashes), root)) throw new StoredDamageError('a tile was altered');
  } else if (!equalBytes(await readRoot(snapshot.nodes, snapshot.head.tree_size), snapshot.root)) {
    // A tile that is not full has no hash of its own, and is part of what the root of the tree is made of.
    throw new StoredDamageError('the last tiles of the log were altered');
  }
  if (tile.level !== 'entries') return concatBytes(...hashes.slice(0, tile.width));
  const leaves = await logs.leaves(workspace.id, from, to);
  if (leaves.length !== to - from) throw new StoredDamageError('leaves of a bundle are missing');
  const entries = leaves.map((leaf) => utf8(formatEntry(leaf)));
  if (!entries.every((entry, n) => equalBytes(leafHash(entry), hashes[n] ?? new Uint8Array())))
    throw new StoredDamageError('a leaf of a bundle was altered');
  return formatEntryBundle(entries);
}

/** C2SP tlog-tiles: each entry after its length as a big-endian 16-bit number. */
function formatEntryBundle(entries: readonly Uint8Array[]): Uint8Array {
  return concatBytes(...entries.flatMap((entry) => [Uint8Array.of(entry.length >> 8, entry.length & 0xff), entry]));
}
