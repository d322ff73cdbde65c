import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { Caller } from '@answer-evidence/access';
import type { AnswerRecord, Verification } from '@answer-evidence/contracts';
import { formatHex } from '@answer-evidence/encoding';
import { parseCheckpoint, parseNote } from '@answer-evidence/note';
import { checkStoredLedger } from '@answer-evidence/postgres';
import { createRouteCaller, openTestAuthority, type TestAuthority } from '@answer-evidence/testing';
import { readRoot } from '../libs/domain/ledger/src/index.ts';
import { type ServiceProcess, startTrustWorker, startWitness, until } from '../tools/scenery/service-process.ts';
import { openStoresOn } from '../tools/scenery/stores-on.ts';
import { openTestService, type TestService } from '../tools/scenery/test-service.ts';
import { activeVkeyOf, EAGER_POLICY, vkeyOf } from './support/attested-log.ts';
import { type KillingProxy, openKillingProxy, type Passage } from './support/killing-proxy.ts';

const DEADLINE_MS = 120_000;
/** How long after its start a worker is killed in the strokes that look at nothing. */
const MOMENTS_MS = (process.env['TRUST_CRASH_MOMENTS_MS'] ?? '1400').split(',').map(Number);

let folder: string;
let service: TestService;
let authority: TestAuthority;
let witness: ServiceProcess;
let proxies: { readonly witness: KillingProxy; readonly authority: KillingProxy };
let database: pg.Client;
let stores: Awaited<ReturnType<typeof openStoresOn>>['stores'];
let openStages: Awaited<ReturnType<typeof openStoresOn>>['openStages'];
let workspaceId: string;
const workers: ServiceProcess[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'answer-evidence-trust-crash-'));
  authority = await openTestAuthority();
  service = await openTestService();
  workspaceId = (await service.call('GET', '/api/whoami')).body.workspace.id;
  witness = startWitness(['--name', 'witness.example/w1', '--log', await activeVkeyOf(service)], { dataDir: folder });
  proxies = {
    witness: await openKillingProxy(await witness.ready),
    authority: await openKillingProxy(authority.url),
  };
  const policy = {
    ...EAGER_POLICY,
    anchors: [
      {
        id: 'authority',
        type: 'rfc3161',
        url: proxies.authority.url,
        certificate_pem: authority.rootPem,
        required: true,
      },
      { id: 'local', type: 'file' },
    ],
    anchors_required: 1,
    witness_policy: `witness w1 ${vkeyOf(witness.stderr)} ${proxies.witness.url}\nquorum w1\n`,
  };
  expect((await service.call('PUT', '/api/trust/policy', { body: policy })).status).toBe(200);
  // From here on only workers publish, ask and anchor.
  await service.stop();
  ({ stores, openStages } = await openStoresOn(service));
  database = new pg.Client({ connectionString: service.databaseUrl });
  await database.connect();
}, DEADLINE_MS);

afterAll(async () => {
  for (const worker of [...workers, witness]) worker.kill('SIGKILL');
  await Promise.all([...workers, witness].map(({ exited }) => exited));
  await database.end();
  await stores.close();
  await Promise.all([proxies.witness.close(), proxies.authority.close()]);
  await authority.close();
  await service.close();
  await rm(folder, { recursive: true, force: true });
}, DEADLINE_MS);

async function call(method: 'GET' | 'POST', path: string, body?: object) {
  const manager: Caller = {
    kind: 'user',
    workspaceId,
    tokenId: workspaceId,
    userId: workspaceId,
    username: 'manager',
    role: 'manager',
    expiresAt: Number.MAX_SAFE_INTEGER,
  };
  const route = createRouteCaller((await openStages(['ingest', 'trust'])).flatMap((stage) => stage.routes));
  return (await route(method, path, { as: manager, ...(body === undefined ? {} : { body }) })).body;
}

/** Records an answer and asks for everything to be done at once. */
async function ask(text: string): Promise<AnswerRecord> {
  const body = { application_key: 'support-bot', question: { text }, answer: { text } };
  const record = (await call('POST', '/api/answer-audit-logs', body)) as AnswerRecord;
  await call('POST', '/api/trust/anchors/run', {});
  // These stores run no tickers, and appends stop when the head has not been kept for a minute.
  await stores.heads.ticker('own').run(new AbortController().signal);
  return record;
}

function startWorker(): ServiceProcess {
  const environment = { DATABASE_URL: service.databaseUrl, SERVICE_LOG_LEVEL: 'error' };
  const worker = startTrustWorker({ dataDir: service.dataDir, environment });
  workers.push(worker);
  return worker;
}

async function count(sql: string): Promise<number> {
  const { rows } = await database.query<{ n: string }>(`select count(*) as n from answer_evidence.${sql}`);
  return Number(rows[0]?.n);
}

/** Kills the worker as soon as a row is there that was not. */
const whenStored = (rows: string) => async (worker: ServiceProcess) => {
  const before = await count(rows);
  await until(`a row more of ${rows}`, async () => (await count(rows)) > before, DEADLINE_MS);
  worker.kill('SIGKILL');
};

const whenPeer = (peer: 'witness' | 'authority', passage: Passage) => async (worker: ServiceProcess) => {
  await new Promise<void>((resolve) => {
    proxies[peer].arm(passage, () => {
      worker.kill('SIGKILL');
      resolve();
    });
  });
};

const whenReadyFor = (milliseconds: number) => async (worker: ServiceProcess) => {
  await worker.ready;
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  worker.kill('SIGKILL');
};

const STROKES: readonly (readonly [string, (worker: ServiceProcess) => Promise<void>])[] = [
  ['a checkpoint is published', whenStored('published_checkpoints')],
  ['the witness is asked', whenPeer('witness', 'asked')],
  ['the witness has cosigned and nobody knows', whenPeer('witness', 'answered')],
  ['a cosignature is stored', whenStored('cosignatures')],
  ['a round of anchors has begun', whenStored('anchors')],
  ['the authority is asked', whenPeer('authority', 'asked')],
  ['the authority has stamped and nobody knows', whenPeer('authority', 'answered')],
  ['a time-stamp is stored', whenStored(`anchor_attempts where artefact is not null and anchored_at is not null`)],
  ...MOMENTS_MS.map((ms) => [`it runs for ${ms} ms`, whenReadyFor(ms)] as const),
];

async function anchoringOf(record: AnswerRecord): Promise<string> {
  return ((await call('GET', `/api/answer-audit-logs/${record.id}/ledger/verify`)) as Verification).anchoring;
}

/** Every published tree is a tree of the log that is there now, and nothing vouches twice. */
async function assertOneHistory(): Promise<void> {
  const workspace = await stores.directory.get(workspaceId);
  expect((await checkStoredLedger(stores.pool, workspace, () => Promise.resolve())).findings).toEqual([]);
  const { nodes } = await stores.logs.snapshot(workspaceId);
  const { items } = await stores.trust.listPublished(workspaceId, { offset: 0, limit: 200 });
  for (const { tree_size: size, root } of items) expect(formatHex(await readRoot(nodes, size))).toBe(formatHex(root));
  const twice = `(select anchor from answer_evidence.anchor_attempts where outcome = 'confirmed'
    group by anchor having count(*) > 1)`;
  const { rows } = await database.query(`select * from ${twice} as doubled`);
  expect(rows).toEqual([]);
}

describe('a trust worker that is killed', () => {
  it(
    'makes no second history, anchors nothing twice and forgets nothing, whatever it was doing',
    async () => {
      const records: AnswerRecord[] = [];
      for (const [what, strike] of STROKES) {
        records.push(await ask(`asked before ${what}`));
        const worker = startWorker();
        const struck = strike(worker);
        const { signal } = await worker.exited;
        await struck;
        expect({ what, signal }).toEqual({ what, signal: 'SIGKILL' });
        await assertOneHistory();
      }
      // Two at once have to finish what all of those began.
      const pair = [startWorker(), startWorker()];
      await Promise.all(pair.map(({ ready }) => ready));
      records.push(await ask('asked of two workers'));
      for (const record of records)
        await until(`${record.id} is ANCHORED`, async () => (await anchoringOf(record)) === 'ANCHORED', DEADLINE_MS);
      for (const worker of pair) expect(await worker.stop()).toEqual({ code: 0, signal: null });
      await assertOneHistory();

      const newest = await stores.trust.newestAnchors(workspaceId);
      expect(newest.map(({ attempts }) => attempts.at(-1)?.outcome)).toEqual(['confirmed', 'confirmed']);
      // The witness saw one history: it kept no fork, and what it cosigned last was published.
      const files = await readdir(join(folder, 'witness'), { recursive: true });
      expect(files.filter((name) => name.includes('fork-'))).toEqual([]);
      const origin = (await stores.directory.get(workspaceId)).origin;
      const published = await stores.trust.newestPublished(workspaceId);
      const last = await lastCosigned(origin);
      expect(last.size).toBe(published?.tree_size);
      expect(formatHex(last.root)).toBe(formatHex(published?.root ?? new Uint8Array()));
    },
    6 * DEADLINE_MS,
  );
});

async function lastCosigned(origin: string) {
  const name = formatHex(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(origin))));
  const reply = await fetch(`${await witness.ready}/${name}/checkpoint`);
  return parseCheckpoint(parseNote(await reply.text()).text);
}
