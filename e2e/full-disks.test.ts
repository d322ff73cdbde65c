import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findFreePort, hasRedis, startTestRedis, type TestRedis } from '@answer-evidence/testing';
import { openSmallDisk, type SmallDisk } from '../tools/faults/small-disk.ts';
import { readToken, type ServiceProcess, startProcess, until } from '../tools/scenery/service-process.ts';
import { answer } from '../tools/scenery/test-service.ts';
import { copyReadyData } from './support/ready-data.ts';

const RECORDS = '/api/answer-audit-logs';
const ROUNDS = 8;
const PAUSE_MS = 100;
/** Each place that the service or what it stands on writes to, and the MB that it has. */
const PLACES = { log: 2, database: 250, heads: 4, objects: 8, queue: 24, temporary: 2 } as const;
type Place = keyof typeof PLACES;
const NAMES = Object.keys(PLACES) as Place[];

let folder: string;
let dataDir: string;
let redis: TestRedis | undefined;
let service: ServiceProcess;
let url: string;
let token: string;
let metricsPort: number;
const disks = new Map<Place, SmallDisk>();
let canFill = true;
/** What was acknowledged, by where it is read. */
const acknowledged: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'answer-evidence-full-'));
  dataDir = join(folder, 'data');
  await mkdir(dataDir);
  const at: Record<Place, string> = {
    log: join(folder, 'log'),
    database: join(dataDir, 'postgres'),
    heads: join(dataDir, 'heads'),
    objects: join(dataDir, 'objects'),
    queue: join(folder, 'queue'),
    temporary: join(folder, 'temporary'),
  };
  for (const name of NAMES) disks.set(name, await openSmallDisk(at[name], PLACES[name]));
  canFill = [...disks.values()].every((disk) => disk.canBeFilled);
  if (!canFill) process.stderr.write('disks cannot be filled: only root may mount small ones\n');
  await copyReadyData(dataDir);
  if (hasRedis()) redis = await startTestRedis({ dir: at.queue, appendonly: 'yes', appendfsync: 'everysec' });
  metricsPort = await findFreePort();
  service = startProcess({
    dataDir,
    prefix: ['sh', '-c', `exec "$@" >>${join(at.log, 'out')}`, 'sh'],
    environment: {
      TMPDIR: at.temporary,
      SERVICE_LOG_LEVEL: 'info',
      SERVICE_METRICS_PORT: String(metricsPort),
      ...(redis === undefined ? {} : { REDIS_URL: redis.url }),
    },
  });
  url = await service.ready;
  token = await readToken(dataDir);
}, 120_000);
afterAll(async () => {
  await service.stop();
  await redis?.close();
  for (const disk of [...disks.values()].toReversed()) await disk.close();
  await rm(folder, { recursive: true, force: true });
});

type Came = { readonly status: number; readonly body: { readonly id?: string; readonly code?: string } };

async function call(method: string, path: string, body?: object): Promise<Came> {
  const reply = await fetch(new URL(path, url), {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  return { status: reply.status, body: (text === '' ? {} : JSON.parse(text)) as Came['body'] };
}

const passage = () => Buffer.from(`a passage ${crypto.randomUUID()}`.repeat(2_000)).toString('base64');

/** A record and a piece of evidence. Both are answered; what is refused is refused as something to be sent again. */
async function createBoth(): Promise<readonly Came[]> {
  const asset = { application_key: 'support-bot', content_type: 'text/plain', content_base64: passage() };
  const asked = [
    [RECORDS, answer('beside a full disk')],
    ['/api/evidence-assets', asset],
  ] as const;
  const came: Came[] = [];
  for (const [path, body] of asked) {
    const reply = await call('POST', path, body);
    if (reply.status === 201) acknowledged.push(`${path}/${reply.body.id ?? ''}`);
    came.push(reply);
  }
  return came;
}

type Ready = { readonly ok: boolean; readonly failing: readonly string[] };

async function readReady(): Promise<Ready> {
  return (await (await fetch(`http://127.0.0.1:${metricsPort}/readyz`)).json()) as Ready;
}

/** Whether records were refused before it was asked and after, and what it said in between. */
async function compareReady(): Promise<{ readonly isRefusing: boolean; readonly ready: Ready }> {
  const create = async () => {
    const { status, body } = await call('POST', RECORDS, answer('x'.repeat(200_000)));
    if (status === 201) acknowledged.push(`${RECORDS}/${body.id ?? ''}`);
    return status;
  };
  const before = await create();
  const ready = await readReady();
  return { isRefusing: before === 503 && (await create()) === 503, ready };
}

const isRefusal = ({ status, body }: Came) => status === 503 && /^[a-z_]+$/.test(body.code ?? '');

describe.each([...NAMES.map((name) => [name, [name]] as const), ['every one', NAMES] as const])(
  'a service whose disk is full: %s',
  (_, names) => {
    it('refuses for now or goes on, loses nothing, and is back by itself', async () => {
      if (!canFill) return;
      for (const name of names) await disks.get(name)?.fill();
      const faults: unknown[] = [];
      const reasons: string[] = [];
      for (let n = 0; n < ROUNDS; n++) {
        for (const reply of await createBoth()) if (reply.status !== 201 && !isRefusal(reply)) faults.push(reply);
        const listed = await call('GET', `${RECORDS}?size=1`);
        if (listed.status !== 200 && !isRefusal(listed)) faults.push(listed);
        const { isRefusing, ready } = await compareReady();
        if (isRefusing && ready.ok) faults.push('ready, and refusing');
        if (isRefusing) reasons.push(...ready.failing);
        await pause(PAUSE_MS);
      }
      expect(faults).toEqual([]);
      if (names.includes('database')) expect(reasons.join()).toContain('postgres_space');
      else expect(reasons).toEqual([]);
      for (const name of names) await disks.get(name)?.free();
      await until('creates', async () => (await createBoth()).every(({ status }) => status === 201));
      await until('the process to be ready', async () => (await readReady()).ok);
      for (const path of acknowledged) expect([path, (await call('GET', path)).status]).toEqual([path, 200]);
    }, 180_000);
  },
);

it('says how many lines of its log were lost, and the ledger is whole', async () => {
  if (!canFill) return;
  await until('the log', async () => {
    await call('GET', `${RECORDS}?size=1`);
    return (await readFile(join(folder, 'log/out'), 'utf8')).includes('these lines were dropped');
  });
  expect((await call('POST', '/api/trust/ledger-checks')).body).toMatchObject({ outcome: 'PASS' });
}, 60_000);
