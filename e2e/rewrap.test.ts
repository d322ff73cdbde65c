import { randomBytes } from 'node:crypto';
import { copyFile, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { StartError } from '@answer-evidence/runtime';
import { openTestDatabase, type TestDatabase } from '@answer-evidence/testing';
import { runOperatorCommand, startOperatorCommand, until } from '../tools/scenery/service-process.ts';
import { answer, openTestService } from '../tools/scenery/test-service.ts';
import { copyReadyData } from './support/ready-data.ts';

const MINUTES_MS = 60_000;
const OLD = randomBytes(32).toString('base64');
const NEW = randomBytes(32).toString('base64');

let dataDir: string;
/** For tests that are about keys alone: it does not start with each of the processes. */
let database: TestDatabase;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'answer-evidence-rewrap-'));
  database = await openTestDatabase();
});
afterEach(async () => {
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
});

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

describe('npm run operator -- keys-rewrap', () => {
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
      const { url: DATABASE_URL } = database;
      await use('before', { DATABASE_URL, SERVICE_MASTER_KEY: OLD });
      const wrong = await rewrap({
        DATABASE_URL,
        SERVICE_MASTER_KEY: NEW,
        SERVICE_NEW_MASTER_KEY: randomBytes(32).toString('base64'),
      });
      expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('SERVICE_MASTER_KEY is not the key')]);
      const malformed = await rewrap({ DATABASE_URL, SERVICE_MASTER_KEY: OLD, SERVICE_NEW_MASTER_KEY: 'secret' });
      expect([malformed.code, malformed.stderr]).toEqual([
        2,
        expect.stringContaining('SERVICE_NEW_MASTER_KEY must be'),
      ]);
      expect(malformed.stderr).not.toContain('"secret"');
      const same = await rewrap({ DATABASE_URL, SERVICE_MASTER_KEY: OLD, SERVICE_NEW_MASTER_KEY: OLD });
      expect([same.code, same.stdout]).toEqual([0, expect.stringContaining('keep the old key')]);
      const environment = { DATABASE_URL, SERVICE_MASTER_KEY: OLD, SERVICE_NEW_MASTER_KEY: NEW };
      expect((await rewrap(environment)).code).toBe(0);
      expect((await rewrap(environment)).code).toBe(0);
      expect(await refusal({ DATABASE_URL, SERVICE_MASTER_KEY: OLD })).toContain('SERVICE_MASTER_KEY is not the key');
      await use('after', { DATABASE_URL, SERVICE_MASTER_KEY: NEW });
      expect(await keyFiles()).toEqual([]);
    },
    3 * MINUTES_MS,
  );

  it(
    'refuses while a process of the service runs, which goes on',
    async () => {
      await copyReadyData(dataDir);
      const service = await open({});
      const refused = await rewrap();
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/a process of the service is running/)]);
      expect(await keyFiles()).toEqual(['master.key']);
      const created = await service.call('POST', '/api/answer-audit-logs', { body: answer('meanwhile') });
      expect(created.status).toBe(201);
      await service.close();
    },
    3 * MINUTES_MS,
  );

  it(
    'leaves the old key in force when it is killed half-way, and ends what it began when it is run again',
    async () => {
      const { url } = database;
      const environment = { DATABASE_URL: url };
      await use('before', environment);
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      // A transaction sees what others do as it was when it first asked.
      const watcher = new pg.Client({ connectionString: url });
      await watcher.connect();
      // The command has wrapped everything but the workspace when it comes to this row.
      await client.query('begin');
      await client.query('select 1 from answer_evidence.workspaces for update');
      const command = startOperatorCommand(['keys-rewrap'], { dataDir, environment });
      const connections = async (isIn: string) => {
        const { rows } = await watcher.query<{ n: number }>(
          `select count(*)::int as n from pg_stat_activity
           where datname = current_database() and application_name = 'answer-evidence-rewrap' and ${isIn}`,
        );
        return rows[0]?.n;
      };
      await until('the command waits for the row', async () => (await connections(`wait_event_type = 'Lock'`)) === 1);
      command.kill('SIGKILL');
      await command.exited;
      await client.query('rollback');
      await until('the transaction is undone', async () => (await connections('true')) === 0);
      await client.end();
      await watcher.end();
      expect(await keyFiles()).toEqual(['master.key', 'master.key.new']);
      await use('after the kill', environment);
      const begun = await readFile(join(dataDir, 'master.key.new'), 'utf8');
      expect((await rewrap(environment)).code).toBe(0);
      expect(await readFile(join(dataDir, 'master.key'), 'utf8')).toBe(begun);
      await use('after the change', environment);
    },
    3 * MINUTES_MS,
  );

  it(
    'is ended by the next start without SERVICE_MASTER_KEY when the new key is in a file and the old one never was',
    async () => {
      const { url: DATABASE_URL } = database;
      await use('before', { DATABASE_URL, SERVICE_MASTER_KEY: OLD });
      expect((await rewrap({ DATABASE_URL, SERVICE_MASTER_KEY: OLD })).code).toBe(0);
      expect(await keyFiles()).toEqual(['master.key']);
      // As a kill between the commit and the rename leaves it.
      await rename(join(dataDir, 'master.key'), join(dataDir, 'master.key.new'));
      expect(await refusal({ DATABASE_URL, SERVICE_MASTER_KEY: OLD })).toMatch(/ is: unset SERVICE_MASTER_KEY$/);
      const said = await use('after', { DATABASE_URL });
      expect(said).toContainEqual(
        expect.stringContaining('a change of the master key was completed; the new key is in'),
      );
      expect(await keyFiles()).toEqual(['master.key']);
      // Without the file there is nothing to go on with, and a damaged one is told in one line.
      await rename(join(dataDir, 'master.key'), join(dataDir, 'kept'));
      expect(await refusal({ DATABASE_URL })).toContain('the key of this database is not in');
      await writeFile(join(dataDir, 'master.key.new'), 'c2hvcnQ=\n', { mode: 0o600 });
      expect(await refusal({ DATABASE_URL })).toContain('master.key.new does not contain a key of 32 bytes');
    },
    3 * MINUTES_MS,
  );

  it(
    'is ended by the next start when it was cut off after everything had been wrapped, whichever file was in place',
    async () => {
      const environment = { DATABASE_URL: database.url };
      await use('before', environment);
      expect((await rewrap(environment)).code).toBe(0);
      const [, retired = ''] = await keyFiles();
      // As a kill between the commit and the first rename leaves it, and one between the two.
      await rename(join(dataDir, 'master.key'), join(dataDir, 'master.key.new'));
      await copyFile(join(dataDir, retired), join(dataDir, 'master.key'));
      const said = await use('after the first kill', environment);
      expect(said).toContainEqual(
        expect.stringContaining('a change of the master key was completed; the new key is in'),
      );
      expect(await keyFiles()).toEqual(['master.key', retired]);
      expect(await check(environment)).toEqual([0, 'demo: PASS']);
    },
    3 * MINUTES_MS,
  );
});
