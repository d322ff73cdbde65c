import { copyFile, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import pg from 'pg';
import { openEmbeddedPostgres } from '@answer-evidence/postgres-embedded';
import { openTogether } from './open-together.ts';
import { until } from './until.ts';

const STANDBY = 'standby';

type Server = Awaited<ReturnType<typeof openEmbeddedPostgres>> & { readonly dir: string };

/**
 * A primary and a standby. If it is synchronous, the standby has each commit before the primary acknowledges it. Anyone
 * who opened it closes it.
 */
export type TestReplication = {
  /** The superuser's URLs, of the servers that are primary and standby now. */
  readonly primaryUrl: string;
  readonly standbyUrl: string;
  /** Has the standby hear no more of the primary: from now on it is behind. */
  detachStandby(): Promise<void>;
  /** Ends the primary as a power cut would. */
  killPrimary(): Promise<void>;
  /** Has the standby accept writes. */
  promote(): Promise<void>;
  /** Makes the promoted standby the primary, with a new standby that follows it. */
  addStandby(): Promise<void>;
  close(): Promise<void>;
};

/** Starts both in a temporary folder. The standby begins as a copy of the files of the primary. */
export function startTestReplication(
  { isSynchronous }: { readonly isSynchronous: boolean } = { isSynchronous: true },
): Promise<TestReplication> {
  return openTogether(async (keep) => {
    const dir = await mkdtemp(join(tmpdir(), 'answer-evidence-replication-'));
    keep(() => rm(dir, { recursive: true, force: true, maxRetries: 10 }));
    const settings = { fsync: 'off', max_connections: '200', wal_keep_size: '512MB' };
    let count = 0;
    async function open(from?: Server): Promise<Server> {
      const serverDir = join(dir, `server-${count++}`);
      if (from !== undefined) await copyCluster(from.url, from.dir, serverDir);
      const server = await openEmbeddedPostgres({ dataDir: serverDir, settings });
      keep(() => server.close());
      return { ...server, dir: serverDir };
    }
    async function follow(server: Server): Promise<Server> {
      const follower = await open(server);
      await untilTrue(server.url, `select count(*) = 1 as holds from pg_stat_replication where state = 'streaming'`);
      await query(server.url, `alter system set synchronous_standby_names = '${isSynchronous ? STANDBY : ''}'`);
      await query(server.url, 'select pg_reload_conf()');
      const state = isSynchronous ? 'sync' : 'async';
      await untilTrue(
        server.url,
        `select count(*) = 1 as holds from pg_stat_replication where sync_state = '${state}'`,
      );
      return follower;
    }
    let primary = await open();
    let standby = await follow(primary);
    return {
      get primaryUrl() {
        return primary.url;
      },
      get standbyUrl() {
        return standby.url;
      },
      async detachStandby() {
        await query(standby.url, `alter system set primary_conninfo = ''`);
        await query(standby.url, 'select pg_reload_conf()');
        await untilTrue(primary.url, 'select count(*) = 0 as holds from pg_stat_replication');
      },
      async killPrimary() {
        process.kill(primary.pid, 'SIGKILL');
        await primary.exited;
      },
      async promote() {
        // A synchronous standby that it does not have would keep each of its commits waiting.
        await query(standby.url, `alter system set synchronous_standby_names = ''`);
        await query(standby.url, 'select pg_reload_conf()');
        await query(standby.url, 'select pg_promote()');
      },
      async addStandby() {
        const ended = primary;
        primary = standby;
        await ended.close();
        await rm(ended.dir, { recursive: true, force: true, maxRetries: 10 });
        standby = await follow(primary);
      },
    };
  });
}

/** A base backup by hand: the files while the server runs, and what tells the copy where its log begins. */
async function copyCluster(url: string, from: string, to: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`select pg_backup_start('standby', true)`);
    await mkdir(to, { mode: 0o700 });
    const filter = (path: string) =>
      !['postmaster.pid', 'postmaster.opts', 'postgresql.auto.conf'].includes(basename(path));
    await cp(join(from, 'cluster'), join(to, 'cluster'), { recursive: true, filter });
    await copyFile(join(from, 'password'), join(to, 'password'));
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    await writeFile(join(to, 'cluster', 'backup_label'), rows[0]?.labelfile ?? '');
    const { port, password } = new URL(url);
    const conninfo = `host=127.0.0.1 port=${port} user=postgres password=${password} application_name=${STANDBY}`;
    // Not on the command line, which would win over what is changed later.
    await writeFile(join(to, 'cluster', 'postgresql.auto.conf'), `primary_conninfo = '${conninfo}'\n`);
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
  await until(sql, async () => (await query(url, sql))[0]?.['holds'] === true);
}
