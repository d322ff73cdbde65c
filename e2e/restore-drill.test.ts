import { spawnSync } from 'node:child_process';
import { chown, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { refuseStart, runOperatorCommand, startProcess } from '../tools/scenery/service-process.ts';
import { openTestService, type TestService } from '../tools/scenery/test-service.ts';
import { downloadAsset, type EvidencePlace, uploadFile } from './support/evidence-client.ts';
import { copyReadyData } from './support/ready-data.ts';

const MINUTES_MS = 60_000;
const RECORDS = '/api/answer-audit-logs';
const FILE = Buffer.from('the handbook, as it was cited');

let folder: string;
/** Where the installation lives, and where the next one begins empty. */
let machine: string;
let spare: string;
/** Where the backups go, and the heads, which a restore of the database does not touch. */
let backup: string;
let heads: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'answer-evidence-drill-'));
  [machine, spare, backup, heads] = ['machine', 'spare', 'backup', 'heads'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
    string,
  ];
  await copyReadyData(machine);
  // From where an operator keeps them beside the machine, on every start.
  copy(join(machine, 'heads'), heads);
  await mkdir(backup);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Copies with owners and modes, which PostgreSQL asks for. */
function copy(from: string, to: string): void {
  const { status, stderr } = spawnSync('cp', ['-a', from, to], { encoding: 'utf8' });
  expect([stderr, status]).toEqual(['', 0]);
}

const environmentOf = (place = heads) => ({ SERVICE_HEADS: `folder:${place}` });

function start(dataDir: string): Promise<TestService> {
  return openTestService({ share: { databaseUrl: '', dataDir }, environment: environmentOf() });
}

/** A service in the form that an upload and a download take. */
function placeOf({ baseUrl, managerToken: token }: TestService): EvidencePlace {
  return { baseUrl, token };
}

function operate(command: string, dataDir: string, place = heads, args: readonly string[] = []) {
  return runOperatorCommand([command, ...args], { dataDir, environment: environmentOf(place) });
}

const answerTo = (question: string) => ({
  application_key: 'support-bot',
  question: { text: question },
  answer: { text: `about ${question}` },
});

/** A base backup of the running database, as pg_basebackup takes it: files, then the log that makes them whole. */
async function backUpDatabase(): Promise<void> {
  const client = new pg.Client({ connectionString: (await readFile(join(machine, 'postgres.url'), 'utf8')).trim() });
  await client.connect();
  await client.query(`select pg_backup_start('drill', true)`);
  copy(join(machine, 'postgres'), join(backup, 'postgres'));
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
  await client.end();
  const cluster = join(backup, 'postgres/cluster');
  await rm(join(cluster, 'pg_wal'), { recursive: true });
  copy(join(machine, 'postgres/cluster/pg_wal'), join(cluster, 'pg_wal'));
  const { gid, uid } = await stat(cluster);
  await writeFile(join(cluster, 'backup_label'), rows[0]?.labelfile ?? '', { mode: 0o600 });
  await chown(join(cluster, 'backup_label'), uid, gid);
  // Of the process that still runs.
  for (const name of ['cluster/postmaster.pid', 'cluster/postmaster.opts', 'pulse'])
    await rm(join(backup, 'postgres', name), { force: true });
}

/** The backup into an empty place, part by part: the database, the master key, the objects, the configuration. */
async function restoreInto(dataDir: string): Promise<void> {
  await mkdir(dataDir, { mode: 0o700 });
  for (const part of ['postgres', 'master.key', 'objects', 'config.yaml'])
    copy(join(backup, part), join(dataDir, part));
}

describe('a machine that is lost while the service runs, and its backup', () => {
  it(
    'come back in an empty place: records, texts, evidence; what was made after the backup is named as lost',
    async () => {
      const service = await start(machine);
      const kept = (await service.call('POST', RECORDS, { body: answerTo('what is kept') })).body;
      const asset = (await uploadFile(placeOf(service), FILE)).body;

      // In the order of the page: the database, what it names, the key.
      await backUpDatabase();
      const lost = (await service.call('POST', RECORDS, { body: answerTo('what is lost') })).body;
      for (const part of ['objects', 'master.key', 'config.yaml']) copy(join(machine, part), join(backup, part));
      // The service confirms a create when its head is kept, so the heads know of the one that the backup lacks.
      await service.close();
      await rm(machine, { recursive: true });

      await restoreInto(spare);
      const refused = startProcess({ dataDir: spare, environment: environmentOf() });
      expect(await refused.exited).toEqual({ code: 1, signal: null });
      expect(refused.stderr.at(-1)).toMatch(/holds \d+ entries, but \d+ were signed/);
      const checked = await operate('ledger-check', spare);
      expect([checked.code, checked.stdout.match(/^ {2}FAIL \w+/gm)]).toEqual([1, ['  FAIL outside_head']]);
      const recovered = await operate('ledger-recover', spare);
      expect([recovered.code, recovered.stdout]).toEqual([0, expect.stringContaining('are lost')]);

      const again = await start(spare);
      expect((await again.call('GET', `${RECORDS}/${kept.id}`)).body).toMatchObject({
        question: { text: 'what is kept' },
        answer: { text: 'about what is kept' },
      });
      expect((await downloadAsset(placeOf(again), asset.id)).content).toEqual(FILE);
      expect((await again.call('GET', `${RECORDS}/${lost.id}`)).status).toBe(404);
      expect((await again.call('POST', RECORDS, { body: answerTo('what comes after') })).status).toBe(201);
      await again.close();
      const sound = await operate('ledger-check', spare);
      expect([sound.code, sound.stdout]).toEqual([0, expect.stringMatching(/^demo: PASS/)]);
    },
    4 * MINUTES_MS,
  );

  it(
    'come back without their heads only when an operator adopts the log',
    async () => {
      await rm(spare, { recursive: true });
      await restoreInto(spare);
      const none = join(folder, 'no-heads');
      const refused = await refuseStart({ dataDir: spare, environment: environmentOf(none) });
      expect(refused).toContain('no head of it is kept');
      expect((await operate('heads-adopt', spare, none, ['--workspace', 'demo'])).code).toBe(0);
      const sound = await operate('ledger-check', spare, none);
      expect([sound.code, sound.stdout]).toEqual([0, expect.stringMatching(/^demo: PASS/)]);
    },
    2 * MINUTES_MS,
  );

  it(
    'open nothing without the master key',
    async () => {
      await rm(spare, { recursive: true });
      await restoreInto(spare);
      await rm(join(spare, 'master.key'));
      const refused = await refuseStart({ dataDir: spare, environment: environmentOf() });
      expect(refused).toContain('the key of this database is not in');
    },
    MINUTES_MS,
  );
});
