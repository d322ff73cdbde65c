import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFile, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { openEmbeddedPostgres } from '@answer-evidence/postgres-embedded';
import { StartError } from '@answer-evidence/runtime';
import { sendCreate } from './support/creating-client.ts';
import { copyReadyData } from './support/ready-data.ts';
import { readToken, REPOSITORY, runOperatorCommand, startProcess, until } from './support/service-process.ts';
import { answer, openTestService } from './support/test-service.ts';

const MINUTES_MS = 60_000;
const OLD = randomBytes(32).toString('base64');
const NEW = randomBytes(32).toString('base64');

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'answer-evidence-rewrap-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

type Environment = Readonly<Record<string, string>>;

/** Starts the service, records an answer, reads a token's keys and stops: this opens every wrapped secret. */
async function use(name: string, environment: Environment = {}): Promise<readonly string[]> {
  const service = await open(environment);
  const reply = await service.call('POST', '/api/answer-audit-logs', { body: answer(name) });
  expect(reply.status).toBe(201);
  await service.close();
  return service.reports;
}

function open(environment: Environment) {
  return openTestService({ share: { databaseUrl: environment['DATABASE_URL'] ?? '', dataDir }, environment });
}

async function refusal(environment: Environment = {}): Promise<string> {
  const refused = await open(environment).then(
    () => 'it started',
    (error: unknown) => error,
  );
  expect(refused).toBeInstanceOf(StartError);
  return (refused as StartError).message;
}

function rewrap(environment: Environment = {}) {
  return runOperatorCommand(['keys-rewrap'], { dataDir, environment });
}

async function keyFiles(): Promise<readonly string[]> {
  return (await readdir(dataDir)).filter((name) => name.startsWith('master.key')).sort();
}

async function check(environment: Environment = {}) {
  const { code, stdout } = await runOperatorCommand(['ledger-check'], { dataDir, environment });
  return [code, stdout.split(',')[0]];
}

describe('npm run keys:rewrap', () => {
  it(
    'changes a key file: the new one is in its place, the old one beside it, and everything goes on',
    async () => {
      await copyReadyData(dataDir);
      await use('before');
      const old = await readFile(join(dataDir, 'master.key'), 'utf8');
      const { code, stdout, stderr } = await rewrap();
      expect([code, stderr]).toEqual([0, '']);
      const [current = '', retired = '', ...more] = await keyFiles();
      expect([current, more]).toEqual(['master.key', []]);
      expect(retired).toMatch(/^master\.key\.retired-[0-9a-f]{8}$/);
      expect(stdout).toContain(`the old key is in ${join(dataDir, retired)}`);
      expect(await readFile(join(dataDir, retired), 'utf8')).toBe(old);
      const fresh = await readFile(join(dataDir, 'master.key'), 'utf8');
      expect(fresh).not.toBe(old);
      expect(stdout).not.toContain(fresh.trim());
      expect((await stat(join(dataDir, 'master.key'))).mode & 0o777).toBe(0o600);
      await use('after');
      expect(await check()).toEqual([0, 'demo: PASS']);
      // The old key opens nothing any more.
      await copyFile(join(dataDir, retired), join(dataDir, 'master.key'));
      expect(await refusal()).toContain('is not the key that this database was created with');
    },
    3 * MINUTES_MS,
  );

  it(
    'changes the key of the environment, can be repeated, and refuses keys that are none or another one',
    async () => {
      await use('before', { SERVICE_MASTER_KEY: OLD });
      const wrong = await rewrap({
        SERVICE_MASTER_KEY: NEW,
        SERVICE_NEW_MASTER_KEY: randomBytes(32).toString('base64'),
      });
      expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('SERVICE_MASTER_KEY is not the key')]);
      const malformed = await rewrap({ SERVICE_MASTER_KEY: OLD, SERVICE_NEW_MASTER_KEY: 'secret' });
      expect([malformed.code, malformed.stderr]).toEqual([
        2,
        expect.stringContaining('SERVICE_NEW_MASTER_KEY must be'),
      ]);
      expect(malformed.stderr).not.toContain('"secret"');
      const same = await rewrap({ SERVICE_MASTER_KEY: OLD, SERVICE_NEW_MASTER_KEY: OLD });
      expect([same.code, same.stdout]).toEqual([0, expect.stringContaining('keep the old key')]);
      const environment = { SERVICE_MASTER_KEY: OLD, SERVICE_NEW_MASTER_KEY: NEW };
      expect((await rewrap(environment)).code).toBe(0);
      expect((await rewrap(environment)).code).toBe(0);
      expect(await refusal({ SERVICE_MASTER_KEY: OLD })).toContain('SERVICE_MASTER_KEY is not the key');
      await use('after', { SERVICE_MASTER_KEY: NEW });
      expect(await keyFiles()).toEqual([]);
    },
    3 * MINUTES_MS,
  );

  it(
    'refuses while a process of the service runs, which goes on',
    async () => {
      await copyReadyData(dataDir);
      const service = startProcess({ dataDir });
      const baseUrl = await service.ready;
      const refused = await rewrap();
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/a process of the service is running/)]);
      expect(await keyFiles()).toEqual(['master.key']);
      const token = await readToken(dataDir);
      expect((await sendCreate(new Agent(), baseUrl, token, 'meanwhile')).status).toBe(201);
      await service.stop();
    },
    3 * MINUTES_MS,
  );

  it(
    'leaves the old key in force when it is killed half-way, and ends what it began when it is run again',
    async () => {
      await copyReadyData(dataDir);
      await use('before');
      // A PostgreSQL that outlives the command, as an operator's server does.
      const postgres = await openEmbeddedPostgres({ dataDir: join(dataDir, 'postgres') });
      const { url } = postgres;
      const environment = { DATABASE_URL: url };
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      // A transaction sees what others do as it was when it first asked.
      const watcher = new pg.Client({ connectionString: url });
      await watcher.connect();
      // The command has wrapped everything but the workspace when it comes to this row.
      await client.query('begin');
      await client.query('select 1 from answer_evidence.workspaces for update');
      const command = spawn(
        process.execPath,
        ['--disable-warning=ExperimentalWarning', join(REPOSITORY, 'apps/operator/src/main.ts'), 'keys-rewrap'],
        { env: { PATH: process.env['PATH'] ?? '', SERVICE_DATA_DIR: dataDir, ...environment }, stdio: 'ignore' },
      );
      const exited = new Promise((resolve) => command.once('exit', resolve));
      await until('the command waits for the row', async () => {
        const { rows } = await watcher.query<{ n: number }>(
          `select count(*)::int as n from pg_stat_activity where application_name = 'answer-evidence-rewrap' and wait_event_type = 'Lock'`,
        );
        return rows[0]?.n === 1;
      });
      command.kill('SIGKILL');
      await exited;
      await client.query('rollback');
      await until('the transaction is undone', async () => {
        const { rows } = await watcher.query<{ n: number }>(
          `select count(*)::int as n from pg_stat_activity where application_name = 'answer-evidence-rewrap'`,
        );
        return rows[0]?.n === 0;
      });
      await client.end();
      await watcher.end();
      expect(await keyFiles()).toEqual(['master.key', 'master.key.new']);
      await use('after the kill', environment);
      const begun = await readFile(join(dataDir, 'master.key.new'), 'utf8');
      expect((await rewrap(environment)).code).toBe(0);
      expect(await readFile(join(dataDir, 'master.key'), 'utf8')).toBe(begun);
      await use('after the change', environment);
      await postgres.close();
    },
    3 * MINUTES_MS,
  );

  it(
    'is ended by the next start without SERVICE_MASTER_KEY when the new key is in a file and the old one never was',
    async () => {
      await use('before', { SERVICE_MASTER_KEY: OLD });
      expect((await rewrap({ SERVICE_MASTER_KEY: OLD })).code).toBe(0);
      expect(await keyFiles()).toEqual(['master.key']);
      // As a kill between the commit and the rename leaves it.
      await rename(join(dataDir, 'master.key'), join(dataDir, 'master.key.new'));
      expect(await refusal({ SERVICE_MASTER_KEY: OLD })).toMatch(/ is: unset SERVICE_MASTER_KEY$/);
      const said = await use('after');
      expect(said).toContainEqual(
        expect.stringContaining('a change of the master key was completed; the new key is in'),
      );
      expect(await keyFiles()).toEqual(['master.key']);
      // Without the file there is nothing to go on with, and a damaged one is told in one line.
      await rename(join(dataDir, 'master.key'), join(dataDir, 'kept'));
      expect(await refusal()).toContain('the key of this database is not in');
      await writeFile(join(dataDir, 'master.key.new'), 'c2hvcnQ=\n', { mode: 0o600 });
      expect(await refusal()).toContain('master.key.new does not contain a key of 32 bytes');
    },
    3 * MINUTES_MS,
  );

  it(
    'is ended by the next start when it was cut off after everything had been wrapped, whichever file was in place',
    async () => {
      await copyReadyData(dataDir);
      await use('before');
      expect((await rewrap()).code).toBe(0);
      const [, retired = ''] = await keyFiles();
      // As a kill between the commit and the first rename leaves it, and one between the two.
      await rename(join(dataDir, 'master.key'), join(dataDir, 'master.key.new'));
      await copyFile(join(dataDir, retired), join(dataDir, 'master.key'));
      const said = await use('after the first kill');
      expect(said).toContainEqual(
        expect.stringContaining('a change of the master key was completed; the new key is in'),
      );
      expect(await keyFiles()).toEqual(['master.key', retired]);
      expect(await check()).toEqual([0, 'demo: PASS']);
    },
    3 * MINUTES_MS,
  );
});
