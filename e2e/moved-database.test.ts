import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { openEmbeddedPostgres } from '@answer-evidence/postgres-embedded';
import { type CuttableRelay, openCuttableRelay, startTestReplication } from '@answer-evidence/testing';
import { readToken, type ServiceProcess, startProcess, startRole, until } from './support/service-process.ts';
import { SignedTrees } from './support/signed-trees.ts';
import { answer } from './support/test-service.ts';

const READS_AT_ONCE = 40;
const MISSING = /holds \d+ entries, but \d+ were signed/;

/** What was opened for a test, the first first. */
const closing: (() => Promise<unknown>)[] = [];
let dataDir: string;
/** The one address of the database. */
let relay: CuttableRelay;
let trees: SignedTrees;
let baseUrl: string;
let records = 0;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'answer-evidence-moved-'));
  closing.push(() => rm(dataDir, { recursive: true, force: true }));
  trees = new SignedTrees();
});
afterEach(async () => {
  for (let close = closing.pop(); close !== undefined; close = closing.pop()) await close();
}, 60_000);

async function openRelay(databaseUrl: string): Promise<Readonly<Record<string, string>>> {
  relay = await openCuttableRelay(databaseUrl);
  closing.push(() => relay.close());
  const url = new URL(databaseUrl);
  url.port = new URL(relay.url).port;
  return { DATABASE_URL: url.href, SERVICE_LOG_LEVEL: 'error' };
}

async function openReplication() {
  const databases = await startTestReplication({ isSynchronous: false });
  closing.push(() => databases.close());
  return { databases, environment: await openRelay(databases.primaryUrl) };
}

function note<Started extends ServiceProcess>(service: Started): Started {
  closing.push(() => service.stop());
  return service;
}

async function start(environment: Readonly<Record<string, string>>): Promise<ServiceProcess> {
  const service = note(startProcess({ dataDir, environment }));
  baseUrl = await service.ready;
  return service;
}

/** The last line of a start that ends by itself. */
async function refusal(environment: Readonly<Record<string, string>>): Promise<string> {
  const service = note(startProcess({ dataDir, environment }));
  expect(await service.exited).toEqual({ code: 1, signal: null });
  return service.stderr.at(-1) ?? '';
}

async function call(method: string, path: string, body?: unknown): Promise<{ status: number; body: any }> {
  const response = await fetch(`${baseUrl}/api/answer-audit-logs${path}`, {
    method,
    headers: { Authorization: `Bearer ${await readToken(dataDir)}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  });
  return { status: response.status, body: await response.json() };
}

/** Creates a record, as soon as the service takes it, and returns the name of the log that signed it. */
async function create(): Promise<string> {
  const key = `moved-${records++}`;
  let origin = '';
  await until('a create', async () => {
    const { status, body } = await call('POST', '', { ...answer(`asked with ${key}`), idempotency_key: key });
    if (status === 201) ({ origin } = trees.note(body.receipt as string));
    return status === 201;
  });
  return origin;
}

/** Needs more connections than are open. */
async function readMuch(): Promise<void> {
  await Promise.all(Array.from({ length: READS_AT_ONCE }, () => call('GET', '?size=1').catch(() => undefined)));
}

async function ask(url: string, sql: string): Promise<any> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(sql);
  await client.end();
  return rows[0];
}

/** Waits until the standby has everything, and promotes it while the primary goes on. */
async function promote({ databases }: Awaited<ReturnType<typeof openReplication>>): Promise<string> {
  const { lsn } = await ask(databases.primaryUrl, 'select pg_current_wal_lsn() as lsn');
  await until(
    'the standby',
    async () => (await ask(databases.standbyUrl, `select pg_last_wal_replay_lsn() >= '${lsn}' as holds`)).holds,
  );
  await databases.promote();
  await until(
    'the promotion',
    async () => (await ask(databases.standbyUrl, 'select not pg_is_in_recovery() as holds')).holds,
  );
  return serverOf(databases.standbyUrl);
}

/** As the page on high availability has it. */
async function serverOf(url: string): Promise<string> {
  const { server } = await ask(
    url,
    `select (select system_identifier from pg_control_system()) || '/' ||
       ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as server`,
  );
  return server;
}

function countConnections(url: string): Promise<number> {
  const sql = `select count(*)::int as n from pg_stat_activity
    where application_name = 'answer-evidence' and usename like 'answer_evidence_app_%'`;
  return ask(url, sql).then(({ n }) => n);
}

describe('an address that leads to another server, while the one before goes on', () => {
  it('is followed where nothing is missing, and nothing stays connected to the server before', async () => {
    const place = await openReplication();
    const { databases } = place;
    const [system] = (await serverOf(databases.primaryUrl)).split('/');
    const complete = `complete:${system}/2`;
    const service = await start({ ...place.environment, SERVICE_DATABASE_FAILOVER: complete });
    const origin = await create();
    expect(await promote(place)).toBe(`${system}/2`);
    relay.turnTo(databases.standbyUrl);
    await readMuch();
    await until('the other server', () => service.stderr.join('\n').includes('the database is on another server now'));
    expect(await create()).toBe(origin);
    await until('an end of connections', async () => (await countConnections(databases.primaryUrl)) === 0);
    expect(await countConnections(databases.standbyUrl)).toBeGreaterThan(0);
    expect(await service.stop()).toEqual({ code: 0, signal: null });

    // The same word at the next start, and of a server that it does not name.
    await start({ ...place.environment, SERVICE_DATABASE_FAILOVER: complete }).then((next) => next.stop());
    await databases.addStandby();
    await promote(place);
    relay.turnTo(databases.standbyUrl);
    const renamed = await start({ ...place.environment, SERVICE_DATABASE_FAILOVER: complete });
    expect(renamed.stderr.join('\n')).toContain('it continues as');
    expect(await create()).not.toBe(origin);
  }, 120_000);

  it('is not followed where the server before was written to since, and each start is refused', async () => {
    const place = await openReplication();
    const { databases } = place;
    const [system] = (await serverOf(databases.primaryUrl)).split('/');
    const environment = { ...place.environment, SERVICE_DATABASE_FAILOVER: `complete:${system}/2` };
    const service = await start(environment);
    const token = await readToken(dataDir);
    await create();
    await promote(place);
    await create();
    relay.turnTo(databases.standbyUrl);
    await readMuch();
    expect(await service.exited).toEqual({ code: 70, signal: null });
    for (let n = 0; n < 2; n++) expect(await refusal(environment)).toMatch(MISSING);
    // The database that has everything is taken as it was.
    relay.turnTo(databases.primaryUrl);
    await start(environment);
    expect(await readToken(dataDir)).toBe(token);
    await create();
  }, 120_000);

  it('leads a process that was paused meanwhile to a log of another name, and it signs nothing under the old one', async () => {
    const place = await openReplication();
    const { databases, environment } = place;
    await (await start(environment)).stop();
    const [api, worker] = (['ingest-api', 'trust-worker'] as const).map((role) =>
      note(startRole(role, { dataDir, environment })),
    );
    if (api === undefined || worker === undefined) throw new Error('both are started');
    [baseUrl] = await Promise.all([api.ready, worker.ready]);
    const origin = await create();
    api.kill('SIGSTOP');
    await promote(place);
    await databases.killPrimary();
    relay.cut();
    relay.turnTo(databases.standbyUrl);
    relay.mend();
    expect(await worker.exited).toEqual({ code: 75, signal: null });
    const again = note(startRole('trust-worker', { dataDir, environment }));
    await again.ready;
    expect(again.stderr.join('\n')).toContain('it continues as');

    api.kill('SIGCONT');
    const signed = new Set<string>();
    let isOver = false;
    void api.exited.then(() => (isOver = true));
    const asking = (async () => {
      while (!isOver) {
        const key = `paused-${records++}`;
        const made = await call('POST', '', { ...answer(key), idempotency_key: key }).catch(() => undefined);
        if (made?.status === 201) signed.add(trees.note(made.body.receipt as string).origin);
      }
    })();
    expect(await api.exited).toEqual({ code: 75, signal: null });
    await asking;
    expect([...signed]).toEqual([]);
    const next = note(startRole('ingest-api', { dataDir, environment }));
    baseUrl = await next.ready;
    expect(await create()).not.toBe(origin);
  }, 120_000);
});

describe('a database whose files are put back', () => {
  /** A server whose folder can be kept and put back, as a snapshot of its volume is. */
  async function openVolume() {
    const folder = await mkdtemp(join(tmpdir(), 'answer-evidence-volume-'));
    closing.push(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
    const open = () => openEmbeddedPostgres({ dataDir: join(folder, 'now'), settings: { max_connections: '200' } });
    let server = await open();
    closing.push(() => server.close());
    const environment = await openRelay(server.url);
    const copy = (from: string, to: string) => {
      expect(spawnSync('rm', ['-rf', join(folder, to)]).status).toBe(0);
      expect(spawnSync('cp', ['-a', join(folder, from), join(folder, to)]).status).toBe(0);
    };
    async function restart(change: () => void): Promise<void> {
      process.kill(server.pid, 'SIGKILL');
      await server.exited;
      change();
      server = await open();
      relay.turnTo(server.url);
    }
    return {
      environment,
      get url() {
        return server.url;
      },
      keep: (name: string) => restart(() => copy('now', name)),
      putBack: (name: string) => restart(() => copy(name, 'now')),
    };
  }

  it('ends a running service by what it knows of the write-ahead log, and starts it where no log lacks anything', async () => {
    const volume = await openVolume();
    const service = await start(volume.environment);
    const origin = await create();
    await volume.keep('snapshot');
    await create();
    await volume.keep('newer');
    await ask(volume.url, 'create table filler as select n from generate_series(1, 100000) n');
    // It looks once a second.
    await until('a look at the log', async () => (await call('GET', '?size=1')).status === 200);
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    await volume.putBack('newer');
    expect(await service.exited).toEqual({ code: 70, signal: null });
    expect(service.stderr.join('\n')).toMatch(/stopping at once: .*write-ahead log that went back by \d+ bytes/);
    const next = await start(volume.environment);
    expect(await create()).toBe(origin);
    expect(await next.stop()).toEqual({ code: 0, signal: null });
    await volume.putBack('snapshot');
    expect(await refusal(volume.environment)).toMatch(MISSING);
  }, 180_000);

  it('is refused for what only a process that has ended had seen', async () => {
    const volume = await openVolume();
    const service = await start(volume.environment);
    await create();
    await volume.keep('snapshot');
    await create();
    await until('the head', async () => (await call('GET', '?size=1')).status === 200);
    await create();
    // Within the second that no head covers.
    await volume.putBack('snapshot');
    expect(await service.exited).toEqual({ code: 70, signal: null });
    for (let n = 0; n < 2; n++) expect(await refusal(volume.environment)).toMatch(MISSING);
  }, 180_000);
});
