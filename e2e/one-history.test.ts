import { spawnSync } from 'node:child_process';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  postgresPidsOf,
  readToken,
  type ServiceProcess,
  startProcess,
  until,
} from '../tools/scenery/service-process.ts';
import { assertNothingLost } from './support/assert-nothing-lost.ts';
import { type Acknowledged, createAll } from './support/creating-client.ts';
import { openReadyData } from './support/ready-data.ts';

/** How often each of the ways is tried against the running service. */
const ROUNDS = Number(process.env['TWIN_ROUNDS'] ?? 2);
/** A round starts three services at once. */
const DEADLINE_MS = Math.max(60_000, ROUNDS * 30_000);
const unshare = ['unshare', ...(process.getuid?.() === 0 ? [] : ['--user', '--map-root-user']), '--kill-child'];
/** The ways in which a second container may share a volume with the first. */
const WAYS: readonly (readonly string[])[] = [
  [],
  [...unshare, '--pid', '--fork', '--mount-proc'],
  [...unshare, '--pid', '--ipc', '--mount', '--fork', '--mount-proc'],
];
const canUnshare = spawnSync(unshare[0] ?? '', [...unshare.slice(1), '--pid', '--fork', 'true']).status === 0;
const describeWithNamespaces =
  canUnshare || process.env['REQUIRE_SERVICES'] === '1' ? describe : (describe.skip as typeof describe);

let dataDir: string;
let service: ServiceProcess;
beforeAll(async () => {
  dataDir = await openReadyData('one-history');
  service = startProcess({ dataDir, environment: { SERVICE_LOG_LEVEL: 'error' } });
  await service.ready;
});
afterAll(async () => {
  await service.stop();
  await until('the end of PostgreSQL', () => postgresPidsOf(dataDir).length === 0);
  await rm(dataDir, { recursive: true, force: true });
});

/** The names of all files, and what says whose the database is. */
async function describeFolder() {
  const postgres = join(dataDir, 'postgres');
  const read = (name: string): Promise<string> => readFile(join(postgres, name), 'utf8');
  return {
    data: (await readdir(dataDir)).sort(),
    postgres: (await readdir(postgres)).sort(),
    holder: await read('holder.json'),
    postmaster: (await read('cluster/postmaster.pid')).split('\n').slice(0, 6),
  };
}

describeWithNamespaces('a second service on the data folder of a running one', () => {
  it(
    'is refused in whatever namespaces it runs, changes nothing, and does not disturb the first',
    async () => {
      const baseUrl = await service.ready;
      const token = await readToken(dataDir);
      const acknowledged = new Map<string, Acknowledged>();
      const create = async (keys: readonly string[]): Promise<void> => {
        const load = { keys, connections: 4, token, baseUrls: [baseUrl], onAcknowledged: () => undefined };
        const created = await createAll(load);
        expect(created.retries.size).toBe(0);
        for (const [key, one] of created.acknowledged) acknowledged.set(key, one);
      };
      const before = await describeFolder();
      for (let round = 0; round < ROUNDS; round += 1) {
        const seconds = WAYS.map((prefix) => startProcess({ dataDir, prefix }));
        await create(Array.from({ length: 10 }, (_, n) => `message-${round}-${n}`));
        for (const second of seconds) {
          expect((await second.exited).code).toBe(1);
          expect(second.stdout).toEqual([]);
          expect(second.stderr).toEqual([
            expect.stringMatching(
              /^answer-evidence: the PostgreSQL in .* belongs to the running process \d+.*\. Stop the other process first/,
            ),
          ]);
        }
      }
      expect(await describeFolder()).toEqual(before);
      const databaseUrl = (await readFile(join(dataDir, 'postgres.url'), 'utf8')).trim();
      await assertNothingLost({ baseUrl, token, databaseUrl }, acknowledged);
    },
    DEADLINE_MS,
  );
});
