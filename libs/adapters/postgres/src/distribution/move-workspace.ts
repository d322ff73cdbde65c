import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import { openOwnerClient } from '../open-owner-client.ts';
import { fenceQuery, isSpread } from '../workspace-setting.ts';
import { type ClusterNode, formatNode, listNodes, runOnNode } from './nodes.ts';
import { FIRST_TABLE } from './placement.ts';
import { forgetMovedParts, overwriteNodeLog } from './vacuum-nodes.ts';

const APPLICATION = 'answer-evidence-distribute';
const TABLE = `answer_evidence.${FIRST_TABLE}`;
const PROBE_MS = 20;
/** Every so many probes the role is looked for that Citus makes. */
const LET_IN_EVERY = 10;

/**
 * Citus copies changes as a role that it makes for the move and drops after it. Row-level security keeps that out of
 * the tables, also where it is the role's own row.
 */
const LET_COPIES_IN = `do $do$ declare name text; begin
  perform set_config('citus.enable_alter_role_propagation', 'off', true);
  for name in select rolname from pg_roles
    where rolname ~ '^citus_shard_move_subscription_role_' and not rolbypassrls loop
    execute format('alter role %I bypassrls', name);
  end loop; end $do$`;

/** What a move came to. */
export type WorkspaceMove =
  | { readonly kind: 'no-workspace' | 'not-spread' }
  | { readonly kind: 'no-node'; readonly nodes: readonly string[] }
  | { readonly kind: 'there'; readonly node: string }
  | {
      readonly kind: 'moved';
      readonly from: string;
      readonly node: string;
      /** All workspaces that were moved with it: those of one part of the tables stay together. */
      readonly slugs: readonly string[];
      /** The longest that a write of the workspace waited meanwhile. */
      readonly pauseMs: number;
      /** What is left of it on the node before. */
      readonly remains: readonly string[];
    };

/**
 * Moves the part of the tables that has a workspace to another node, while it is written to, by the logical replication
 * of Citus. Afterwards nothing of it is in the files of the node before: rows that were erased there are in no copy,
 * since only rows that are there are copied. Needs a superuser, and `wal_level` logical on the nodes.
 */
export async function moveWorkspace(url: string, slug: string, target: string): Promise<WorkspaceMove> {
  const client = await openOwnerClient(url, { application_name: APPLICATION });
  try {
    const workspaceId = await findWorkspace(client, slug);
    if (workspaceId === undefined) return { kind: 'no-workspace' };
    const place = isSpread(client) ? await findPlace(client, workspaceId) : undefined;
    if (place === undefined) return { kind: 'not-spread' };
    const nodes = await listNodes(client);
    const node = nodes.find((one) => formatNode(one) === target);
    if (node === undefined) return { kind: 'no-node', nodes: nodes.map(formatNode) };
    if (formatNode(place.node) === target) return { kind: 'there', node: target };
    const slugs = await findNeighbours(client, place.shard);
    const pauseMs = await whileProbing(url, { workspaceId, node }, async () => {
      await client.query(
        `select citus_move_shard_placement($1, $2, $3::int, $4, $5::int, shard_transfer_mode => 'force_logical')`,
        [place.shard, place.node.host, place.node.port, node.host, node.port],
      );
    });
    const remains = [...(await forgetMovedParts(client))];
    const log = await overwriteNodeLog(client, place.node, Infinity);
    if (log !== 'overwritten') remains.push('the write-ahead log, which may not be switched');
    return { kind: 'moved', from: formatNode(place.node), node: target, slugs, pauseMs, remains };
  } finally {
    await client.end();
  }
}

async function findWorkspace(client: pg.Client, slug: string): Promise<string | undefined> {
  const { rows } = await client.query<{ id: string }>('select id from answer_evidence.workspaces where slug = $1', [
    slug,
  ]);
  return rows[0]?.id;
}

/** The part of the tables that has a workspace, by its number in `ledger_heads`, and where it is. */
async function findPlace(
  client: pg.Client,
  workspaceId: string,
): Promise<{ readonly shard: string; readonly node: ClusterNode } | undefined> {
  const { rows: placed } = await client.query(
    `select from pg_dist_partition where logicalrelid = $1::regclass and partmethod = 'h'`,
    [TABLE],
  );
  if (placed.length === 0) return undefined;
  const { rows } = await client.query<ClusterNode & { shard: string }>(
    `select s.shard::text as shard, n.nodename as host, n.nodeport as port
       from (select get_shard_id_for_distribution_column($1::regclass, $2::uuid) as shard) s
         join pg_dist_placement p on p.shardid = s.shard
         join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'`,
    [TABLE, workspaceId],
  );
  const [row] = rows;
  return row === undefined ? undefined : { shard: row.shard, node: { host: row.host, port: row.port } };
}

async function findNeighbours(client: pg.Client, shard: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ slug: string }>(
    `select slug from answer_evidence.workspaces
       where get_shard_id_for_distribution_column($1::regclass, id) = $2::bigint order by slug`,
    [TABLE, shard],
  );
  return rows.map(({ slug }) => slug);
}

/** Takes the lock of a head again and again, as a create does, and says how long it waited at most. */
async function whileProbing(
  url: string,
  { workspaceId, node }: { readonly workspaceId: string; readonly node: ClusterNode },
  action: () => Promise<void>,
): Promise<number> {
  const client = await openOwnerClient(url, { application_name: APPLICATION });
  let isOver = false;
  let longestMs = 0;
  let probes = 0;
  const probing = (async () => {
    while (!isOver) {
      const startedAt = performance.now();
      await client.query('begin');
      await client.query(fenceQuery(client, 'answer_evidence.workspace_id', workspaceId));
      await client.query(`select from ${TABLE} where workspace_id = $1 for update`, [workspaceId]);
      await client.query('rollback');
      longestMs = Math.max(longestMs, performance.now() - startedAt);
      if (probes++ % LET_IN_EVERY === 0) await runOnNode(client, node, LET_COPIES_IN);
      await setTimeout(PROBE_MS);
    }
  })();
  // It is waited for below, also where it fails before.
  probing.catch(() => undefined);
  try {
    await action();
  } finally {
    isOver = true;
    try {
      await probing;
    } finally {
      await client.end();
    }
  }
  return longestMs;
}
