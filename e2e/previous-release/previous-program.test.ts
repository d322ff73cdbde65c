import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { openEmptyDatabase, type TestDatabase } from '@answer-evidence/testing';
import {
  readToken,
  runOperatorCommand,
  type ServiceProcess,
  startRole,
  until,
  watch,
} from '../../tools/scenery/service-process.ts';
import { assertNothingLost } from '../support/assert-nothing-lost.ts';
import { createAll } from '../support/creating-client.ts';
import { buildProgram, COMMIT_FILE, findObstacle } from './build-program.ts';

const DEADLINE_MS = 300_000;
/** Creates of each phase: the previous release alone, on the next schema, beside the next release, the next alone. */
const PHASE = 400;
/** Another commit may be tried: `PREVIOUS_RELEASE=<commit> npm test -- e2e/previous-release`. */
const { PREVIOUS_RELEASE } = process.env;
const { commit }: { commit: string } = JSON.parse(await readFile(COMMIT_FILE, 'utf8'));
const previous = PREVIOUS_RELEASE ?? commit;
const obstacle = findObstacle(previous);

(obstacle === undefined ? describe : describe.skip)(
  `the program of the previous release${obstacle === undefined ? '' : `, which ${obstacle}`}`,
  () => {
    let folder: string;
    let dataDir: string;
    let program: string;
    let database: TestDatabase;
    let environment: Readonly<Record<string, string>>;
    const started: ServiceProcess[] = [];

    function startPrevious(): ServiceProcess {
      const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program], {
        env: { PATH: process.env['PATH'], SERVICE_HTTP_PORT: '0', SERVICE_METRICS_PORT: '0', ...environment },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const service = watch(child);
      started.push(service);
      return service;
    }

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'answer-evidence-previous-'));
      dataDir = await mkdtemp(join(tmpdir(), 'answer-evidence-upgraded-'));
      program = await buildProgram(previous, folder);
      database = await openEmptyDatabase();
      environment = {
        DATABASE_URL: database.url,
        SERVICE_MASTER_KEY: randomBytes(32).toString('base64'),
        SERVICE_DATA_DIR: dataDir,
        SERVICE_DATA_DIR_LASTS: 'on',
        SERVICE_RATE_LIMITS: 'off',
        SERVICE_LOG_LEVEL: 'error',
      };
    }, DEADLINE_MS);
    afterAll(async () => {
      await Promise.all(started.map((service) => service.stop()));
      await database.close();
      for (const place of [folder, dataDir]) await rm(place, { recursive: true, force: true });
    }, DEADLINE_MS);

    it(
      'serves on while the next release migrates, beside it, and until it is stopped; nothing is refused or lost',
      async () => {
        const old = startPrevious();
        const baseUrls = [await old.ready];
        const token = await readToken(dataDir);
        let count = 0;
        const load = createAll({
          keys: Array.from({ length: 4 * PHASE }, (_, index) => `upgrade-${index}`),
          connections: 4,
          token,
          baseUrls,
          onAcknowledged: (now) => void (count = now),
        });
        // What fails ends the wait for it as well.
        const reach = (creates: number) =>
          Promise.race([until(`${creates} creates`, () => count >= creates, DEADLINE_MS), load]);

        await reach(PHASE);
        const migrated = await runOperatorCommand(['database-migrate'], { dataDir, environment });
        expect([migrated.code, migrated.stderr]).toEqual([0, expect.any(String)]);
        await reach(count + PHASE);
        const next = startRole('all-in-one', { dataDir, environment });
        started.push(next);
        baseUrls.push(await next.ready);
        await reach(count + PHASE / 2);
        // As a proxy does that is told before the process.
        baseUrls.shift();
        await until('the last request', () => count >= 4 * PHASE - PHASE / 4, DEADLINE_MS);
        expect(await old.stop()).toEqual({ code: 0, signal: null });

        const { acknowledged, retries } = await load;
        expect([...retries]).toEqual([]);
        expect(acknowledged.size).toBe(4 * PHASE);
        const [baseUrl = ''] = baseUrls;
        await assertNothingLost({ baseUrl, token, databaseUrl: database.url }, acknowledged);
      },
      DEADLINE_MS,
    );

    it(
      'is refused in a sentence on a schema that it cannot run on',
      async () => {
        const owner = new pg.Client({ connectionString: database.url });
        await owner.connect();
        await owner.query(`insert into public.answer_evidence_migrations (name) values ('9999_future.sql')`);
        await owner.end();
        const refused = startPrevious();
        expect((await refused.exited).code).toBe(1);
        expect(refused.stderr.at(-1)).toMatch(
          /^answer-evidence: .*the database was migrated by a newer release \(.*9999_future\.sql\); run that release$/,
        );
      },
      DEADLINE_MS,
    );
  },
);
