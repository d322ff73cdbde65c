import { type LeafRow, ServiceError } from '@answer-evidence/contracts';
import { concatBytes, utf8 } from '@answer-evidence/encoding';
import { formatEntry } from '@answer-evidence/ledger';
import { MerkleError, parseTilePath, TILE_WIDTH, type TilePath } from '@answer-evidence/merkle';
import { signCheckpoint } from '@answer-evidence/note';
import { defineRoute, type Route, type RouteReply, type Workspace } from '@answer-evidence/ports';
import { z } from 'zod';
import type { TrustParts } from '../../parts.ts';

const IMMUTABLE = 'private, max-age=31536000, immutable';

/**
 * `GET /tlog/{workspace}/{+path}`: the log in C2SP tlog-tiles: `checkpoint`, `tile/<L>/<N>[.p/<W>]` and
 * `tile/entries/<N>[.p/<W>]`. Tiles are immutable; a partial one stays readable when the log has grown past it.
 */
export function readTlogRoute(parts: TrustParts): Route {
  return defineRoute({
    method: 'GET',
    path: '/tlog/{workspace}/{+path}',
    operationId: 'readTlog',
    summary: 'Read the log as C2SP tlog-tiles',
    access: 'trust.read',
    params: z.strictObject({ workspace: z.string().max(63), path: z.string().max(100) }),
    responses: {
      200: {
        description: 'A signed checkpoint, a tile of hashes, or a bundle of entries',
        contentType: ['application/octet-stream', 'text/plain'],
      },
      404: { description: 'The log holds no such resource' },
    },
    async handle({ params, caller }) {
      if (caller === null) throw new ServiceError('unauthenticated', 'a token is needed');
      const workspace = await parts.directory.get(caller.workspaceId);
      if (workspace.slug !== params.workspace) throw nothingThere();
      const { head, root } = await parts.logs.snapshot(workspace.id);
      if (params.path === 'checkpoint') {
        const checkpoint = { origin: workspace.origin, size: head.tree_size, root };
        return {
          status: 200,
          contentType: 'text/plain; charset=utf-8',
          body: utf8(signCheckpoint(checkpoint, workspace.vkey, (message) => workspace.vault.sign(message))),
        };
      }
      return readTile(parts, workspace, head.tree_size, findTilePath(params.path));
    },
  });
}

async function readTile(
  parts: TrustParts,
  workspace: Workspace,
  treeSize: number,
  tile: TilePath,
): Promise<RouteReply> {
  const level = tile.level === 'entries' ? 0 : tile.level;
  const from = tile.index * TILE_WIDTH;
  const to = from + tile.width;
  // How many hashes the level has: only whole subtrees have one.
  if (to > Math.floor(treeSize / TILE_WIDTH ** level)) throw nothingThere();
  const body =
    tile.level === 'entries'
      ? formatEntryBundle(await parts.logs.leaves(workspace.id, from, to))
      : concatBytes(...(await parts.logs.tileHashes(workspace.id, level, from, to)));
  return { status: 200, contentType: 'application/octet-stream', headers: { 'Cache-Control': IMMUTABLE }, body };
}

/** C2SP tlog-tiles: each entry after its length as a big-endian 16-bit number. */
function formatEntryBundle(leaves: readonly LeafRow[]): Uint8Array {
  const parts = leaves.flatMap((leaf) => {
    const entry = utf8(formatEntry(leaf));
    return [Uint8Array.of(entry.length >> 8, entry.length & 0xff), entry];
  });
  return concatBytes(...parts);
}

function findTilePath(path: string): TilePath {
  try {
    return parseTilePath(path);
  } catch (error) {
    if (error instanceof MerkleError) throw nothingThere();
    throw error;
  }
}

function nothingThere(): ServiceError {
  return new ServiceError('not_found', 'the log holds no such resource');
}
