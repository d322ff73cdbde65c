import type { NodeReader } from '@answer-evidence/ledger';
import { nodeFromTile, type NodeId, TILE_WIDTH, tileOf } from '@answer-evidence/merkle';
import { StoredDamageError } from '@answer-evidence/ports';
import type { Query } from '../session.ts';

const HASH_BYTES = 32;

/** Hashes of one tile: the rows `from` to below `to` at a tile level. */
type Range = { readonly level: number; readonly tile: number; readonly from: number; readonly to: number };

/**
 * Reads nodes of a committed log. All nodes of one tile are cut out of what is read of it at once: out of its row when
 * it is full, else out of the rows below it.
 */
export function createNodeReader(query: Query, workspaceId: string, treeSize: number): NodeReader {
  return async (nodes) => {
    const ranges = nodes.map(rangeOf);
    const tiles = new Map<string, Range>();
    for (const range of ranges) {
      const known = tiles.get(nameOf(range)) ?? range;
      const [from, to] = [Math.min(known.from, range.from), Math.max(known.to, range.to)];
      tiles.set(nameOf(range), { ...range, from, to });
    }
    const read = new Map(
      await Promise.all(
        Array.from(tiles, async ([name, range]) => {
          const hashes = await readRange(query, workspaceId, treeSize, range);
          return [name, { from: range.from, hashes }] as const;
        }),
      ),
    );
    return ranges.map((range) => {
      const { from, hashes } = read.get(nameOf(range)) ?? { from: 0, hashes: [] };
      return nodeFromTile(hashes.slice(range.from - from, range.to - from));
    });
  };
}

function rangeOf(node: NodeId): Range {
  const { level, index, firstHash, hashes } = tileOf(node);
  const from = index * TILE_WIDTH + firstHash;
  return { level, tile: index, from, to: from + hashes };
}

function nameOf({ level, tile }: Range): string {
  return `${level}/${tile}`;
}

async function readRange(
  query: Query,
  workspaceId: string,
  treeSize: number,
  range: Range,
): Promise<readonly Uint8Array[]> {
  const isFull = (range.tile + 1) * TILE_WIDTH ** (range.level + 1) <= treeSize;
  const hashes = isFull
    ? await readFromTile(query, workspaceId, range)
    : await readHashes(query, workspaceId, range.level, range.from, range.to);
  if (hashes.some(({ length }) => length !== HASH_BYTES))
    throw new StoredDamageError(`a hash at tile level ${range.level} was cut`);
  if (hashes.length !== range.to - range.from)
    throw new StoredDamageError(`hashes are missing at tile level ${range.level}`);
  return hashes;
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
  { level, tile, from, to }: Range,
): Promise<readonly Uint8Array[]> {
  // Uncompressed out-of-line storage lets PostgreSQL read just the part of the tile that is asked for.
  const [row] = await query<{ part: Uint8Array }>(
    'tile_part',
    `select substring(hashes from $4 for $5) as part from answer_evidence.ledger_tiles
       where workspace_id = $1 and level = $2 and tile_index = $3`,
    [workspaceId, level, tile, (from - tile * TILE_WIDTH) * HASH_BYTES + 1, (to - from) * HASH_BYTES],
  );
  const part = row?.part ?? new Uint8Array();
  return Array.from({ length: part.length / HASH_BYTES }, (_, n) =>
    part.subarray(n * HASH_BYTES, (n + 1) * HASH_BYTES),
  );
}
