import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { startTestReplication, type TestReplication } from '@answer-evidence/testing';
import { describeInBrowser } from '../tools/scenery/browser.ts';
import { runOperatorCommand, until } from '../tools/scenery/service-process.ts';
import { openWatchedConsole, type WatchedConsole } from './support/watched-console.ts';

const WARNING = 'The newest entries can be lost';
/** Standbys are counted every 15 s, and the page asks every 10 s. */
const NOTICED_MS = 60_000;

describeInBrowser('a database with a standby that is promoted by nobody yet', () => {
  let databases: TestReplication;
  let watched: WatchedConsole;
  beforeAll(async () => {
    databases = await startTestReplication({ isSynchronous: false });
    watched = await openWatchedConsole({ rita: 'member' }, { environment: { DATABASE_URL: databases.primaryUrl } });
  }, 120_000);
  afterAll(async () => {
    await watched.close();
    await databases.close();
  }, 60_000);

  async function ask(path: string): Promise<string> {
    return (await fetch(`${watched.service.metricsUrlOf('ingest-api')}${path}`)).text();
  }
  async function countTold(): Promise<readonly unknown[]> {
    const ready = JSON.parse(await ask('/readyz')) as Record<string, unknown>;
    const [, metric] = /^database_asynchronous_standbys (\d+)$/m.exec(await ask('/metrics')) ?? [];
    return [ready['ok'], ready['asynchronous_standbys'], metric];
  }
  async function readDoctor(): Promise<string> {
    const environment = { DATABASE_URL: databases.primaryUrl };
    return (await runOperatorCommand(['doctor'], { dataDir: watched.service.dataDir, environment })).stdout;
  }
  /** On the primary, as an operator does. */
  async function waitFor(standbys: string): Promise<void> {
    const client = new pg.Client({ connectionString: databases.primaryUrl });
    await client.connect();
    await client.query(`alter system set synchronous_standby_names = '${standbys}'`);
    await client.query('select pg_reload_conf()');
    await client.end();
  }

  it('tells operators and members what a failover would lose, as long as no commit waits for a standby', async () => {
    const { page } = watched;
    await until('the count', async () => (await countTold())[1] === 1, NOTICED_MS);
    expect(await countTold()).toEqual([true, 1, '1']);
    expect(await readDoctor()).toMatch(/^WARN\s+database\.standbys\b/m);
    await watched.enter('trust', 'rita');
    await page.getByRole('status').filter({ hasText: WARNING }).waitFor();
    await watched.look('trust-asynchronous-standby');

    await waitFor('standby');
    await page.getByText(WARNING).waitFor({ state: 'detached', timeout: NOTICED_MS });
    expect(await countTold()).toEqual([true, undefined, '0']);
    expect(await readDoctor()).toMatch(/^PASS\s+database\.standbys\b/m);

    await waitFor('');
    await page.getByText(WARNING).waitFor({ timeout: NOTICED_MS });
    expect(watched.faults).toEqual([]);
  }, 240_000);
});
