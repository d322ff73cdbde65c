import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';
import type { ErasableTable, VacuumLimits, VacuumOutcome } from '../vacuum-outcome.ts';
import { type ClusterNode, listNodes, NodeRefusal, runOnNode } from './nodes.ts';

const LOOKS = 40;
const LOOK_MS = 250;
const SEGMENT_NAME = '^[0-9A-F]{24}$';
const NOT_PERMITTED = /permission denied/;

/**
 * What `vacuumErased` does, on every node: their transactions have ids of their own, so it waits until none is there
 * that had begun before. A node that does not answer ends it with an error, and what was erased stays noted.
 */
export async function vacuumNodes(
  client: pg.Client,
  limits: VacuumLimits,
  tables: readonly ErasableTable[],
): Promise<VacuumOutcome> {
  const { rows: pending } = await client.query<{ xid: string }>(
    'select xid::text as xid from answer_evidence.erasures',
  );
  if (pending.length === 0 && !limits.again) return { kind: 'nothing-to-do' };
  const nodes = await listNodes(client);
  if (!(await waitForOthers(client, nodes))) return { kind: 'held-back' };
  const notRewritten: string[] = [];
  for (const { name } of tables) if (!(await rewrite(client, name, limits.tableBytesMax))) notRewritten.push(name);
  notRewritten.push(...(await forgetMovedParts(client)));
  const logs: Awaited<ReturnType<typeof overwriteNodeLog>>[] = [];
  for (const node of nodes) logs.push(await overwriteNodeLog(client, node, limits.logBytesMax));
  await client.query('delete from answer_evidence.erasures where xid::text = any($1)', [pending.map(({ xid }) => xid)]);
  return {
    kind: 'done',
    notRewritten,
    log: logs.find((log) => log !== 'overwritten') ?? 'overwritten',
    isSomeHeldBack: false,
  };
}

/** Whether every transaction that was there on a node has ended; waits for them for a while. */
async function waitForOthers(client: pg.Client, nodes: readonly ClusterNode[]): Promise<boolean> {
  const marks = [];
  for (const node of nodes)
    marks.push({ node, xid: await runOnNode(client, node, 'select pg_snapshot_xmax(pg_current_snapshot())::text') });
  for (const { node, xid } of marks) if (!(await waitForOthersOn(client, node, xid))) return false;
  return true;
}

async function waitForOthersOn(client: pg.Client, node: ClusterNode, xid: string): Promise<boolean> {
  const text = `select not exists (select from (
      select backend_xmin as xmin from pg_stat_activity where backend_xmin is not null and pid <> pg_backend_pid()
      union all select xmin from pg_replication_slots where xmin is not null
      union all select transaction from pg_prepared_xacts) readers
    where age(readers.xmin) > age('${xid}'::xid8::xid))`;
  for (let look = 0; look < LOOKS; look++) {
    if ((await runOnNode(client, node, text)) === 't') return true;
    await setTimeout(LOOK_MS);
  }
  return false;
}

/** Whether every part of the table was written anew; else they were vacuumed in place. Citus hands both on. */
async function rewrite(client: pg.Client, table: string, bytesMax: number): Promise<boolean> {
  const isSmall = bytesMax === Infinity || (await sizeOfLargestPart(client, table)) <= bytesMax;
  await client.query(isSmall ? `vacuum (full) ${table}` : `vacuum ${table}`);
  return isSmall;
}

async function sizeOfLargestPart(client: pg.Client, table: string): Promise<number> {
  const { rows: placed } = await client.query('select from pg_dist_partition where logicalrelid = $1::regclass', [
    table,
  ]);
  const { rows } = await client.query<{ bytes: string }>(
    placed.length === 0
      ? 'select pg_table_size($1::regclass)::text as bytes'
      : `select max(result::bigint)::text as bytes from run_command_on_shards($1::regclass, 'select pg_table_size(''%s'')')`,
    [table],
  );
  return Number(rows[0]?.bytes ?? 0);
}

/** Drops parts that were moved to another node and are still on the one before; names it where some are left. */
export async function forgetMovedParts(client: pg.Client): Promise<readonly string[]> {
  await client.query('call citus_cleanup_orphaned_resources()');
  const { rows } = await client.query('select from pg_dist_cleanup limit 1');
  return rows.length === 0 ? [] : ['what was moved away from a node'];
}

/** As on one server: every file of the write-ahead log is gone through, ended early, which fills it with zeros. */
export async function overwriteNodeLog(
  client: pg.Client,
  node: ClusterNode,
  bytesMax: number,
): Promise<'overwritten' | 'not-permitted' | 'too-large'> {
  const run = (text: string) => runOnNode(client, node, text);
  const endFile = async () => {
    await run(`select pg_logical_emit_message(false, 'answer-evidence', 'erased')`);
    await run('select pg_switch_wal()');
  };
  try {
    await endFile();
    await run('checkpoint');
    const found = await run(
      `select count(*) || ' ' || coalesce(sum(size), 0) from pg_ls_waldir() where name ~ '${SEGMENT_NAME}'`,
    );
    const [files = 0, bytes = 0] = found.split(' ').map(Number);
    if (bytes > bytesMax) return 'too-large';
    for (let n = 0; n <= files; n++) await endFile();
    await run('checkpoint');
    return 'overwritten';
  } catch (error) {
    if (error instanceof NodeRefusal && NOT_PERMITTED.test(error.message)) return 'not-permitted';
    throw error;
  }
}
