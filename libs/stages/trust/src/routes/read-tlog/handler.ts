import type { Caller } from '@answer-evidence/access';
import { ServiceError } from '@answer-evidence/contracts';
import { readTlog } from '@answer-evidence/contracts/operations';
import { utf8 } from '@answer-evidence/encoding';
import { MerkleError, parseTilePath, type TilePath } from '@answer-evidence/merkle';
import type { LogSnapshot, Workspace } from '@answer-evidence/ports';
import { defineRoute, type Route, type RouteReply } from '@answer-evidence/routes';
import type { TrustDeps } from '../../deps.ts';
import { signCosignedHead } from '../../publishing/sign-head.ts';
import { readTileBody } from './read-tile-body.ts';

/** Whether what stands between may keep a reply for others. */
type CacheScope = 'public' | 'private';

const CHECKPOINT_SECONDS = 2;
const TILE_SECONDS = 31_536_000;

/** `GET /tlog/{workspace}/{+path}`: C2SP tlog-tiles: `checkpoint`, tiles, entries; partial tiles stay readable. */
export function readTlogRoute(deps: TrustDeps): Route {
  return defineRoute({
    ...readTlog,
    async publicWhen(params) {
      const { workspace: slug } = readTlog.params.parse(params);
      const workspace = await deps.directory.findBySlug(slug);
      return workspace !== undefined && (await deps.trust.policy(workspace.id)).values.public_log;
    },
    async handle({ params, knownCaller: caller }) {
      const workspace = await findLog(deps, params.workspace, caller);
      const scope = caller === null ? 'public' : 'private';
      if (params.path === 'checkpoint') return readCheckpoint(deps, workspace, scope);
      const snapshot = await deps.logs.snapshot(workspace.id);
      return readTile(deps, workspace, snapshot, findTilePath(params.path), scope);
    },
  });
}

async function findLog(deps: TrustDeps, slug: string, caller: Caller | null): Promise<Workspace> {
  const workspace =
    caller === null ? await deps.directory.findBySlug(slug) : await deps.directory.get(caller.workspaceId);
  if (workspace?.slug !== slug) throw nothingThere();
  return workspace;
}

/** The newest published checkpoint, with the cosignatures that it has by now. */
async function readCheckpoint(deps: TrustDeps, workspace: Workspace, scope: CacheScope): Promise<RouteReply> {
  const newest = await deps.trust.newestPublished(workspace.id);
  if (newest === undefined)
    throw new ServiceError('not_found', 'no checkpoint of this log is published yet; retry in some seconds');
  const rows = await deps.trust.cosignatures(workspace.id, newest.tree_size);
  return {
    status: 200,
    contentType: 'text/plain; charset=utf-8',
    headers: { 'Cache-Control': `${scope}, max-age=${CHECKPOINT_SECONDS}` },
    body: utf8(
      await signCosignedHead(await deps.logs.signer(workspace.id), { size: newest.tree_size, root: newest.root }, rows),
    ),
  };
}

async function readTile(
  deps: TrustDeps,
  workspace: Workspace,
  snapshot: LogSnapshot,
  tile: TilePath,
  scope: CacheScope,
): Promise<RouteReply> {
  const body = await readTileBody(deps, workspace, snapshot, tile);
  if (body === undefined) throw nothingThere();
  const headers = { 'Cache-Control': `${scope}, max-age=${TILE_SECONDS}, immutable` };
  return { status: 200, contentType: 'application/octet-stream', headers, body };
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
  return new ServiceError(
    'not_found',
    'the log has no such resource; read its path checkpoint for the size, and see c2sp.org/tlog-tiles',
  );
}
