import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openEmbeddedPostgres } from '@answer-evidence/postgres-embedded';
import { hasS3 } from '@answer-evidence/testing';
import { until } from '../tools/scenery/service-process.ts';
import { ask, MISSING, MovedPlace } from './support/moved-place.ts';
import { openBucketBehindRelay } from './support/object-places.ts';

/** Makes the write-ahead log longer, and leaves every ledger as it is. */
const FILLER = 'create table filler as select n from generate_series(1, 100000) n';

let place: MovedPlace;
beforeEach(async () => {
  place = await MovedPlace.open();
});
afterEach(() => place.close(), 60_000);

describe('a database whose files are put back', () => {
  /** A server whose folder can be kept and put back, as a snapshot of its volume is. */
  async function openVolume() {
    const folder = await mkdtemp(join(tmpdir(), 'answer-evidence-volume-'));
    place.closeLater(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
    const open = () => openEmbeddedPostgres({ dataDir: join(folder, 'now'), settings: { max_connections: '200' } });
    let server = await open();
    place.closeLater(() => server.close());
    const environment = await place.openRelay(server.url);
    const copy = (from: string, to: string) => {
      expect(spawnSync('rm', ['-rf', join(folder, to)]).status).toBe(0);
      expect(spawnSync('cp', ['-a', join(folder, from), join(folder, to)]).status).toBe(0);
    };
    async function restart(change: () => void, sql?: string): Promise<void> {
      process.kill(server.pid, 'SIGKILL');
      await server.exited;
      change();
      server = await open();
      if (sql !== undefined) await ask(server.url, sql);
      place.relay.turnTo(server.url);
    }
    return {
      environment,
      get url() {
        return server.url;
      },
      keep: (name: string) => restart(() => copy('now', name)),
      /** `sql` is run before the service reaches it. */
      putBack: (name: string, sql?: string) => restart(() => copy(name, 'now'), sql),
    };
  }

  it('ends a running service by what it knows of the write-ahead log, and starts it where no log lacks anything', async () => {
    const volume = await openVolume();
    const service = await place.start(volume.environment);
    const origin = await place.create();
    await volume.keep('snapshot');
    await place.create();
    await volume.keep('newer');
    await ask(volume.url, FILLER);
    // It looks once a second.
    await until('a look at the log', async () => (await place.call('GET', '?size=1')).status === 200);
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    await volume.putBack('newer');
    expect(await service.exited).toEqual({ code: 70, signal: null });
    expect(service.stderr.join('\n')).toMatch(/stopping at once: .*write-ahead log that went back by \d+ bytes/);
    const next = await place.start(volume.environment);
    expect(await place.create()).toBe(origin);
    expect(await next.stop()).toEqual({ code: 0, signal: null });
    await volume.putBack('snapshot');
    expect(await place.refusal(volume.environment)).toMatch(MISSING);
  }, 180_000);

  it('is refused for what only a process that has ended had seen', async () => {
    const volume = await openVolume();
    const service = await place.start(volume.environment);
    await place.create();
    await volume.keep('snapshot');
    await place.create();
    await until('the head', async () => (await place.call('GET', '?size=1')).status === 200);
    await place.create();
    // Within the second that no head covers.
    await volume.putBack('snapshot');
    expect(await service.exited).toEqual({ code: 70, signal: null });
    for (let n = 0; n < 2; n++) expect(await place.refusal(volume.environment)).toMatch(MISSING);
  }, 180_000);

  it('is refused by a process that was idle, also where the write-ahead log is longer than it had seen', async () => {
    const volume = await openVolume();
    await (await place.start(volume.environment)).stop();
    const [busy, idle] = [
      place.startRole('ingest-api', volume.environment),
      place.startRole('ingest-api', volume.environment),
    ] as const;
    const [busyUrl, idleUrl] = await Promise.all([busy.ready, idle.ready]);
    place.baseUrl = idleUrl;
    await place.create();
    await volume.keep('snapshot');
    // A server that was only started again is used as before.
    await place.create();
    place.baseUrl = busyUrl;
    for (let n = 0; n < 3; n++) await place.create();
    // A head is kept a second after an append.
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    await volume.putBack('snapshot', FILLER);
    place.baseUrl = idleUrl;
    expect(await place.createUntilEnd(idle)).toEqual([]);
    expect(await idle.exited).toEqual({ code: 70, signal: null });
    expect(await busy.exited).toEqual({ code: 70, signal: null });
    for (let n = 0; n < 2; n++) expect(await place.refusal(volume.environment)).toMatch(MISSING);
  }, 180_000);

  const test = hasS3() ? it : it.skip;
  test('waits for the place of the heads before a server that was started again is used', async () => {
    const volume = await openVolume();
    const bucket = await openBucketBehindRelay((close) => place.closeLater(close));
    const service = await place.start({ ...volume.environment, ...bucket.environment });
    const origin = await place.create();
    bucket.relay.cut();
    await volume.keep('the same');
    // It looks once a second, and may not use what it cannot compare.
    const deadline = Date.now() + 5_000;
    while (Date.now() < deadline) expect(await place.tryCreate()).toBeUndefined();
    bucket.relay.mend();
    expect(await place.create()).toBe(origin);
    expect(await service.stop()).toEqual({ code: 0, signal: null });
  }, 180_000);
});
