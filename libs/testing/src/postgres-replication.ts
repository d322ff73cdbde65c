import { copyFile, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import pg from 'pg';
import { openEmbeddedPostgres } from '@answer-evidence/postgres-embedded';

const REPLICATING_MS = 60_000;

/** A primary, and a standby that has each commit before the primary acknowledges it. Anyone who opened it closes it. */
export type TestReplication = {
  /** The superuser's URLs. */
  readonly primaryUrl: string;
  readonly standbyUrl: string;
  /** Ends the primary as a power cut would. */
  killPrimary(): Promise<void>;
  /** Has the standby accept writes. */
  promote(): Promise<void>;
  close(): Promise<void>;
};

/** Starts both in a temporary folder. The standby begins as a copy of the files of the primary. */
export async function startTestReplication(): Promise<TestReplication> {
  const dir = await mkdtemp(join(tmpdir(), 'answer-evidence-replication-'));
  const closing: (() => Promise<void>)[] = [() => rm(dir, { recursive: true, force: true, maxRetries: 10 })];
  async function close(): Promise<void> {
    for (let closeOne = closing.pop(); closeOne !== undefined; closeOne = closing.pop()) await closeOne();
  }
  try {
    const [first, second] = [join(dir, 'primary'), join(dir, 'standby')];
    const settings = { fsync: 'off', max_connections: '200', wal_keep_size: '512MB' };
    const primary = await openEmbeddedPostgres({ dataDir: first, settings });
    closing.push(() => primary.close());
    await copyCluster(primary.url, first, second);
    const { port, password } = new URL(primary.url);
    const conninfo = `host=127.0.0.1 port=${port} user=postgres password=${password} application_name=standby`;
    const standby = await openEmbeddedPostgres({
      dataDir: second,
      settings: { ...settings, primary_conninfo: conninfo },
    });
    closing.push(() => standby.close());
    await untilTrue(primary.url, `select count(*) = 1 as holds from pg_stat_replication where state = 'streaming'`);
    await query(primary.url, `alter system set synchronous_standby_names = 'standby'`);
    await query(primary.url, 'select pg_reload_conf()');
    await untilTrue(primary.url, `select count(*) = 1 as holds from pg_stat_replication where sync_state = 'sync'`);
    return {
      primaryUrl: primary.url,
      standbyUrl: standby.url,
      async killPrimary() {
        process.kill(primary.pid, 'SIGKILL');
        await primary.exited;
      },
      promote: () => query(standby.url, 'select pg_promote()').then(() => undefined),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A base backup by hand: the files while the server runs, and what tells the copy where its log begins. */
async function copyCluster(url: string, from: string, to: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`select pg_backup_start('standby', true)`);
    await mkdir(to, { mode: 0o700 });
    const filter = (path: string) => !['postmaster.pid', 'postmaster.opts'].includes(basename(path));
    await cp(join(from, 'cluster'), join(to, 'cluster'), { recursive: true, filter });
    await copyFile(join(from, 'password'), join(to, 'password'));
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    await writeFile(join(to, 'cluster', 'backup_label'), rows[0]?.labelfile ?? '');
    await writeFile(join(to, 'cluster', 'standby.signal'), '');
  } finally {
    await client.end();
  }
}

async function query(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function untilTrue(url: string, sql: string): Promise<void> {
  const deadline = Date.now() + REPLICATING_MS;
  while ((await query(url, sql))[0]?.['holds'] !== true) {
    if (Date.now() > deadline) throw new Error(`the standby does not follow: ${sql}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
