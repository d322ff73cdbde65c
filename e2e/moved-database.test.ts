import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startTestReplication } from '@answer-evidence/testing';
import { until } from '../tools/scenery/service-process.ts';
import { ask, MISSING, MovedPlace } from './support/moved-place.ts';

let place: MovedPlace;
beforeEach(async () => {
  place = await MovedPlace.open();
});
afterEach(() => place.close(), 60_000);

async function openReplication() {
  const databases = await startTestReplication({ isSynchronous: false });
  place.closeLater(() => databases.close());
  return { databases, environment: await place.openRelay(databases.primaryUrl) };
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
    const replication = await openReplication();
    const { databases } = replication;
    const [system] = (await serverOf(databases.primaryUrl)).split('/');
    const complete = `complete:${system}/2`;
    const service = await place.start({ ...replication.environment, SERVICE_DATABASE_FAILOVER: complete });
    const origin = await place.create();
    expect(await promote(replication)).toBe(`${system}/2`);
    place.relay.turnTo(databases.standbyUrl);
    await place.readMuch();
    await until('the other server', () => service.stderr.join('\n').includes('the database is on another server now'));
    expect(await place.create()).toBe(origin);
    await until('an end of connections', async () => (await countConnections(databases.primaryUrl)) === 0);
    expect(await countConnections(databases.standbyUrl)).toBeGreaterThan(0);
    expect(await service.stop()).toEqual({ code: 0, signal: null });

    // The same word at the next start, and of a server that it does not name.
    await place.start({ ...replication.environment, SERVICE_DATABASE_FAILOVER: complete }).then((next) => next.stop());
    await databases.addStandby();
    await promote(replication);
    place.relay.turnTo(databases.standbyUrl);
    const renamed = await place.start({ ...replication.environment, SERVICE_DATABASE_FAILOVER: complete });
    expect(renamed.stderr.join('\n')).toContain('it continues as');
    expect(await place.create()).not.toBe(origin);
  }, 120_000);

  it('is not followed where the server before was written to since, and each start is refused', async () => {
    const replication = await openReplication();
    const { databases } = replication;
    const [system] = (await serverOf(databases.primaryUrl)).split('/');
    const environment = { ...replication.environment, SERVICE_DATABASE_FAILOVER: `complete:${system}/2` };
    const service = await place.start(environment);
    const token = await place.readToken();
    await place.create();
    await promote(replication);
    await place.create();
    place.relay.turnTo(databases.standbyUrl);
    await place.readMuch();
    expect(await service.exited).toEqual({ code: 70, signal: null });
    for (let n = 0; n < 2; n++) expect(await place.refusal(environment)).toMatch(MISSING);
    // The database that has everything is taken as it was.
    place.relay.turnTo(databases.primaryUrl);
    await place.start(environment);
    expect(await place.readToken()).toBe(token);
    await place.create();
  }, 120_000);

  it('leads a process that was paused meanwhile to a log of another name, and it signs nothing under the old one', async () => {
    const replication = await openReplication();
    const { databases, environment } = replication;
    await (await place.start(environment)).stop();
    const [api, worker] = [
      place.startRole('ingest-api', environment),
      place.startRole('trust-worker', environment),
    ] as const;
    [place.baseUrl] = await Promise.all([api.ready, worker.ready]);
    const origin = await place.create();
    api.kill('SIGSTOP');
    await promote(replication);
    await databases.killPrimary();
    place.relay.cut();
    place.relay.turnTo(databases.standbyUrl);
    place.relay.mend();
    expect(await worker.exited).toEqual({ code: 75, signal: null });
    const again = place.startRole('trust-worker', environment);
    await again.ready;
    expect(again.stderr.join('\n')).toContain('it continues as');

    api.kill('SIGCONT');
    expect(await place.createUntilEnd(api)).toEqual([]);
    expect(await api.exited).toEqual({ code: 75, signal: null });
    const next = place.startRole('ingest-api', environment);
    place.baseUrl = await next.ready;
    expect(await place.create()).not.toBe(origin);
  }, 120_000);
});
