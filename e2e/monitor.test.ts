import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { Agent, createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Client, createClient, ReceiptError } from '@answer-evidence/client';
import { createFileStore } from '@answer-evidence/client/node';
import { findingEvidence, type MonitorState, monitorState, trustFile } from '@answer-evidence/contracts';
import { parseCheckpoint, parseNote } from '@answer-evidence/note';
import { findFreePort } from '@answer-evidence/testing';
import {
  type Finished,
  readToken,
  runCliCommand,
  runMonitor,
  startMonitor,
  until,
} from '../tools/scenery/service-process.ts';
import { openTestService, type TestService } from '../tools/scenery/test-service.ts';
import { EAGER_POLICY } from './support/attested-log.ts';
import { sendCreate } from './support/creating-client.ts';
import { copyReadyData } from './support/ready-data.ts';

const DEADLINE_MS = 240_000;
const KILLS = 8;

let folder: string;
let dataDir: string;
let port: number;
let service: TestService;
let hook: Server;
const posts: any[] = [];

const at = (name: string) => join(folder, name);

/** Starts the service, with a database in its folder: a copy of the folder is one of everything. */
async function start(): Promise<void> {
  const environment = { SERVICE_HTTP_PORT: String(port) };
  service = await openTestService({ share: { databaseUrl: '', dataDir }, environment });
}

/** Records an answer, keeps the response in that folder, and returns the size of the tree that holds it. */
async function record(name: string, kept = 'kept'): Promise<number> {
  const token = await readToken(dataDir);
  const reply = await sendCreate(new Agent(), `http://127.0.0.1:${port}`, token, name);
  expect(reply.status).toBe(201);
  await writeFile(at(`${kept}/${name}.json`), reply.text);
  return JSON.parse(reply.text).ledger.leaf_index + 1;
}

/** Waits until the log shows a tree of that size to anybody. */
async function published(size: number): Promise<void> {
  await until(`a checkpoint of ${size} leaves`, async () => {
    const response = await fetch(`http://127.0.0.1:${port}/tlog/demo/checkpoint`);
    return response.ok && parseCheckpoint(parseNote(await response.text()).text).size >= size;
  });
}

/** The arguments of a monitor that has a trust file and no token. */
function watching(...more: readonly string[]): readonly string[] {
  const log = `http://127.0.0.1:${port}/tlog/demo`;
  const state = ['--state', at('m/state.json'), '--receipts', at('kept')];
  return ['monitor', log, '--trust', at('trust.json'), ...state, '--json', ...more];
}

async function look(...more: readonly string[]) {
  const { code, stdout, stderr }: Finished = await runMonitor(watching('--once', ...more), at('nobody'));
  const report = stdout === '' ? undefined : JSON.parse(stdout);
  return { code, stderr, report, kinds: report?.findings.map(({ kind }: { kind: string }) => kind) };
}

async function readState(): Promise<MonitorState> {
  return monitorState.parse(JSON.parse(await readFile(at('m/state.json'), 'utf8')));
}

function copy(from: string, to: string): void {
  expect(spawnSync('cp', ['-a', from, to]).status).toBe(0);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'answer-evidence-monitor-'));
  dataDir = at('data');
  port = await findFreePort();
  await mkdir(at('kept'));
  hook = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      posts.push(JSON.parse(Buffer.concat(chunks).toString()));
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
  await copyReadyData(dataDir);
  await start();
  await writeFile(at('policy.json'), JSON.stringify({ ...EAGER_POLICY, public_log: true }));
  for (const args of [
    ['trust', 'policy', 'set', '--file', at('policy.json')],
    ['trust', 'export', '--out', at('trust.json')],
  ])
    expect((await runCliCommand(['--registry', service.baseUrl, ...args], { dataDir })).code).toBe(0);
}, DEADLINE_MS);

afterAll(async () => {
  await service.close();
  await new Promise((resolve) => hook.close(resolve));
  await rm(folder, { recursive: true, force: true });
}, DEADLINE_MS);

describe('a monitor on somebody else’s machine', () => {
  it(
    'follows the log through kill -9, and alone',
    async () => {
      await published(await record('first'));
      expect(await look()).toMatchObject({ code: 0, stderr: '', kinds: [] });
      for (let n = 0; n < KILLS; n++) {
        const before = await readState();
        const monitor = startMonitor(watching('--interval', '1s'), at('nobody'));
        await until('a look', () => monitor.stdout.length > 0);
        const size = await record(`killed-${n}`);
        if (n === 0) {
          expect(await look()).toMatchObject({
            code: 2,
            stderr: expect.stringMatching(/another monitor uses .*; stop it/),
          });
          await published(size);
          await until('the new tree', async () => sizeOf(await readState()) >= size);
        }
        // Whatever it is doing, in between of writes and in them.
        await new Promise((resolve) => setTimeout(resolve, 170 * n));
        monitor.kill('SIGKILL');
        await monitor.exited;
        expect(sizeOf(await readState())).toBeGreaterThanOrEqual(sizeOf(before));
      }
      await published(await record('last'));
      const { code, kinds, report } = await look();
      expect({ code, kinds }).toEqual({ code: 0, kinds: [] });
      const state = await readState();
      expect(state.logs[0]?.entries.tree_size).toBe(report.tree_size);
      expect(state.logs[0]?.proven).toHaveLength(KILLS + 2);
    },
    DEADLINE_MS,
  );

  it(
    'says that an older copy of everything came back, and proves the fork that follows',
    async () => {
      await service.stop();
      copy(dataDir, at('older'));
      expect(await look()).toMatchObject({ code: 3, kinds: [] });
      await start();
      let size = 0;
      for (const name of ['lost-1', 'lost-2', 'lost-3']) size = await record(name);
      const client = await openGuardedClient();
      await client.records.create(ANSWER);
      size++;
      await published(size);
      expect(await look()).toMatchObject({ code: 0, kinds: [] });
      await service.stop();
      await rename(dataDir, at('newer'));
      await rename(at('older'), dataDir);

      await start();
      const address = hook.address();
      const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`;
      const back = await look('--webhook', url);
      const missing = Array.from({ length: 3 }, () => 'missing_entry');
      expect({ code: back.code, kinds: back.kinds }).toEqual({ code: 5, kinds: ['rollback', ...missing] });
      expect(posts).toEqual([back.report]);

      // The client remembers as well: the log cannot prove what it has lost, and then proves that it forked.
      expect(await refusalOf(client)).toBe('unproven');

      // New answers are recorded in the places of the lost ones.
      let grown = 0;
      for (let n = 0; grown <= size; n++) grown = await record(`new-${n}`, '.');
      await published(grown);
      expect(await refusalOf(await openGuardedClient())).toBe('inconsistent');
      const forked = await look('--webhook', url);
      expect(forked.code).toBe(4);
      expect(forked.kinds).toEqual(['fork', ...missing]);
      expect(posts).toHaveLength(2);
      const evidence = findingEvidence.parse(JSON.parse(await readFile(forked.report.findings[0].evidence, 'utf8')));
      const [older, newer] = evidence.checkpoints.map((note) => parseCheckpoint(parseNote(note).text));
      expect(older?.origin).toBe(newer?.origin);
      expect(newer?.size).toBeGreaterThan(older?.size ?? 0);
    },
    DEADLINE_MS,
  );
});

const ANSWER = { application_key: 'support-bot', question: { text: 'of a client' }, answer: { text: 'an answer' } };

/** A client that believes the trust file and remembers in a folder. */
async function openGuardedClient(): Promise<Client> {
  const token = await readToken(dataDir);
  const trust = trustFile.parse(JSON.parse(await readFile(at('trust.json'), 'utf8')));
  const receipts = { trust, store: createFileStore(at('remembered')) };
  return createClient({ registry: `http://127.0.0.1:${port}`, token, receipts });
}

/** Why the client refuses the receipt of the next answer. */
async function refusalOf({ records }: Client): Promise<string> {
  const error: unknown = await records.create(ANSWER).catch((reason: unknown) => reason);
  return error instanceof ReceiptError ? error.code : 'nothing';
}

function sizeOf({ logs }: MonitorState): number {
  return parseCheckpoint(parseNote(logs[0]?.checkpoint ?? '').text).size;
}
