import type { NodeReader } from '@answer-evidence/ledger';
import { nodeFromTile, TILE_WIDTH, tileOf } from '@answer-evidence/merkle';
import { StoredDamageError } from '@answer-evidence/ports';
import type { Query } from '../session.ts';

const HASH_BYTES = 32;

/** One node's hashes: the rows `from` to below `from + count` at a tile level. */
type Piece = { readonly level: number; readonly from: number; readonly count: number };

/**
 * Reads nodes of a committed log. A node that is one hash is a leaf, or the root that a full tile keeps of itself, so
 * one row; a larger one is cut out of its full tile, so one row too, or gathered from rows while its tile is still
 * partial.
 */
export function createNodeReader(query: Query, workspaceId: string, treeSize: number): NodeReader {
  return async (nodes) => {
    const pieces = nodes.map((node): Piece => {
      const tile = tileOf(node);
      return { level: tile.level, from: tile.index * TILE_WIDTH + tile.firstHash, count: tile.hashes };
    });
    return Promise.all(pieces.map((piece) => readPiece(query, workspaceId, treeSize, piece)));
  };
}

async function readPiece(query: Query, workspaceId: string, treeSize: number, piece: Piece): Promise<Uint8Array> {
  const tile = Math.floor(piece.from / TILE_WIDTH);
  const leavesOfTile = TILE_WIDTH ** (piece.level + 1);
  const isFull = (tile + 1) * leavesOfTile <= treeSize;
  const hashes =
    isFull && piece.count > 1
      ? await readFromTile(query, workspaceId, piece, tile)
      : await readHashes(query, workspaceId, piece.level, piece.from, piece.from + piece.count);
  if (hashes.some(({ length }) => length !== HASH_BYTES))
    throw new StoredDamageError(`a hash at tile level ${piece.level} was cut`);
  if (hashes.length !== piece.count) throw new StoredDamageError(`hashes are missing at tile level ${piece.level}`);
  return nodeFromTile(hashes);
}

/** Hashes number `from` to below `to` of a tile level: leaf hashes at 0, above it the roots of full tiles. */
export async function readHashes(
  query: Query,
  workspaceId: string,
  level: number,
  from: number,
  to: number,
): Promise<readonly Uint8Array[]> {
  const rows =
    level === 0
      ? await query<{ hash: Uint8Array }>(
          'leaf_hashes',
          `select leaf_hash as hash from answer_evidence.ledger_leaves
             where workspace_id = $1 and leaf_index >= $2 and leaf_index < $3 order by leaf_index`,
          [workspaceId, from, to],
        )
      : await query<{ hash: Uint8Array }>(
          'tile_roots',
          `select root as hash from answer_evidence.ledger_tiles
             where workspace_id = $1 and level = $2 and tile_index >= $3 and tile_index < $4 order by tile_index`,
          [workspaceId, level - 1, from, to],
        );
  return rows.map((row) => row.hash);
}

async function readFromTile(
  query: Query,
  workspaceId: string,
  piece: Piece,
  tile: number,
): Promise<readonly Uint8Array[]> {
  // Uncompressed out-of-line storage lets PostgreSQL read just the part of the tile that is asked for.
  const [row] = await query<{ part: Uint8Array }>(
    'tile_part',
    `select substring(hashes from $4 for $5) as part from answer_evidence.ledger_tiles
       where workspace_id = $1 and level = $2 and tile_index = $3`,
    [workspaceId, piece.level, tile, (piece.from - tile * TILE_WIDTH) * HASH_BYTES + 1, piece.count * HASH_BYTES],
  );
  const part = row?.part ?? new Uint8Array();
  return Array.from({ length: part.length / HASH_BYTES }, (_, n) =>
    part.subarray(n * HASH_BYTES, (n + 1) * HASH_BYTES),
  );
}
