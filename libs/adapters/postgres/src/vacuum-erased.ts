import type pg from 'pg';
import { isDistributed } from './distribution/plan-distribution.ts';
import { vacuumNodes } from './distribution/vacuum-nodes.ts';
import { sqlState } from './failures.ts';
import { openOwnerClient } from './open-owner-client.ts';
import { hasSpan, listParts } from './sealed-parts/list-parts.ts';
import { queryOnce } from './session.ts';
import type { ErasableTable, VacuumLimits, VacuumOutcome } from './vacuum-outcome.ts';
import { isSpread } from './workspace-setting.ts';

const LOCK_KEY = 4_171_930_018;
const SEGMENT_NAME = '^[0-9A-F]{24}$';
/** How long a rewrite waits for readers and writers of a table, who wait behind it meanwhile. */
const LOCK_WAIT = '2s';
const LOCK_TIMEOUT = '55P03';
const NOT_PERMITTED = '42501';

/**
 * Whether something was erased whose remains are still in the files. The service's own login may see it, so that nobody
 * connects as the owner for nothing.
 */
export async function isAnythingErased(pool: pg.Pool): Promise<boolean> {
  const { rows } = await queryOnce<{ is_any: boolean }>(pool, {
    text: 'select exists (select from answer_evidence.erasures) as is_any',
  });
  return rows[0]?.is_any === true;
}

/**
 * Takes the remains of what was erased out of the database's files. A deleted row stays in its page, and VACUUM only
 * frees its space; writing the table anew leaves it behind. The write-ahead log keeps the row as it was inserted until
 * its file is used again, so every file is gone through, ended early, which fills it with zeros. Needs the role that
 * owns the tables; for the log the rights to checkpoint and to switch it.
 */
export async function vacuumErased(url: string, limits: VacuumLimits): Promise<VacuumOutcome> {
  const own = { lock_timeout: LOCK_WAIT };
  const client = await openOwnerClient(url, { application_name: 'answer-evidence-vacuum', own });
  try {
    const { rows } = await client.query<{ got: boolean }>('select pg_try_advisory_lock($1) as got', [LOCK_KEY]);
    if (rows[0]?.got !== true) return { kind: 'busy' };
    if (isSpread(client) && (await isDistributed(client)))
      return await vacuumNodes(client, limits, [...(await readErasableTables(client)), ...(await listParts(client))]);
    return await vacuum(client, limits);
  } finally {
    // Also gives the advisory lock back.
    await client.end();
  }
}

async function vacuum(client: pg.Client, limits: VacuumLimits): Promise<VacuumOutcome> {
  const { rows: pending } = await client.query<{ xid: string; spans: readonly string[] | null; removable: boolean }>(
    `select e.xid::text as xid, e.sealed::text[] as spans, age(e.xid::xid) > coalesce(o.age, -1) as removable
       from answer_evidence.erasures e,
         (select max(a) as age from (
            select age(backend_xmin) as a from pg_stat_activity where backend_xmin is not null and pid <> pg_backend_pid()
            union all select age(xmin) from pg_replication_slots where xmin is not null
            union all select age(transaction) from pg_prepared_xacts) readers) o`,
  );
  if (pending.length === 0 && !limits.again) return { kind: 'nothing-to-do' };
  const removable = pending.filter((row) => row.removable);
  if (pending.length > 0 && removable.length === 0) return { kind: 'held-back' };
  const notRewritten: string[] = [];
  const tables = (await readErasableTables(client)).map((table) => ({ ...table, bytesMax: limits.tableBytesMax }));
  const spans = removable.map((row) => row.spans?.map(Number));
  const parts = (await listParts(client))
    .filter((part) => limits.again || spans.some((one) => one === undefined || one.some((at) => hasSpan(part, at))))
    .map((part) => ({ ...part, bytesMax: limits.partBytesMax }));
  for (const table of [...tables, ...parts]) if (!(await rewrite(client, table))) notRewritten.push(table.name);
  const log = await overwriteLog(client, limits.logBytesMax);
  await client.query('delete from answer_evidence.erasures where xid::text = any($1)', [
    removable.map(({ xid }) => xid),
  ]);
  return { kind: 'done', notRewritten, log, isSomeHeldBack: removable.length < pending.length };
}

/** Whatever the service may delete from and that holds bytes: found, so that a new table is not forgotten here. */
async function readErasableTables(client: pg.Client): Promise<readonly ErasableTable[]> {
  const { rows } = await client.query<{ name: string; bytes: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name, pg_table_size(c.oid)::text as bytes
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = 'answer_evidence' and c.relkind = 'r'
         and has_table_privilege('answer_evidence_app', c.oid, 'DELETE')
         and exists (select 1 from pg_attribute a
           where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.atttypid = 'bytea'::regtype)
       order by 1`,
  );
  return rows.map(({ bytes, name }) => ({ name, bytes: Number(bytes) }));
}

/** Whether the table was written anew; else it was vacuumed in place. */
async function rewrite(
  client: pg.Client,
  { bytes, bytesMax, name }: ErasableTable & { readonly bytesMax: number },
): Promise<boolean> {
  if (bytes <= bytesMax) {
    try {
      await client.query(`vacuum (full) ${name}`);
      return true;
    } catch (error) {
      if (sqlState(error) !== LOCK_TIMEOUT) throw error;
    }
  }
  await client.query(`vacuum ${name}`);
  return false;
}

async function overwriteLog(
  client: pg.Client,
  bytesMax: number,
): Promise<'overwritten' | 'not-permitted' | 'too-large'> {
  try {
    // Everything up to here is in files that are ended, and after the checkpoint no table needs them any more: they are
    // taken away or kept for later use, as they are.
    await endLogFile(client);
    await client.query('checkpoint');
    const { rows } = await client.query<{ files: string; bytes: string }>(
      `select count(*)::text as files, coalesce(sum(size), 0)::text as bytes from pg_ls_waldir() where name ~ $1`,
      [SEGMENT_NAME],
    );
    const [found] = rows;
    if (Number(found?.bytes) > bytesMax) return 'too-large';
    // Once through all of them, those kept for later use included, and the one that is being written.
    for (let n = 0; n <= Number(found?.files); n++) await endLogFile(client);
    await client.query('checkpoint');
    return 'overwritten';
  } catch (error) {
    if (sqlState(error) === NOT_PERMITTED) return 'not-permitted';
    throw error;
  }
}

/** Ends the file of the write-ahead log that is being written; the rest of it is filled with zeros. */
async function endLogFile(client: pg.Client): Promise<void> {
  // Without anything in it a file is not ended.
  await client.query(`select pg_logical_emit_message(false, 'answer-evidence', 'erased')`);
  await client.query('select pg_switch_wal()');
}
