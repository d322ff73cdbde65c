import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { formatTilePath, TILE_WIDTH } from '@answer-evidence/merkle';
import { listen, type ListeningServer } from '@answer-evidence/testing';
import { describeWithLogs, FSCK } from '../tools/foreign-tools/public-logs.ts';
import { run as runProgram } from '../tools/foreign-tools/python-tools.ts';
import { runCliCommand, until } from '../tools/scenery/service-process.ts';
import { answer, openTestService, type TestService } from '../tools/scenery/test-service.ts';
import { EAGER_POLICY } from './support/attested-log.ts';

const DEADLINE_MS = 180_000;
const QUESTION = 'a question that must not leave the service';

let folder: string;
let service: TestService;
let host: ListeningServer;

const at = (name: string) => join(folder, name);

/** The folder as the plainest of web servers serves it. */
async function serve(): Promise<ListeningServer> {
  return await listen((request, response) => {
    readFile(join(at('copy'), new URL(request.url ?? '/', 'http://any').pathname)).then(
      (bytes) => response.end(bytes),
      () => response.writeHead(404).end(),
    );
  });
}

async function record(count: number): Promise<void> {
  const items = Array.from({ length: count }, (_, n) =>
    answer(`${QUESTION} ${n}`, 'an answer', { idempotency_key: randomUUID() }),
  );
  const { status, text } = await service.call('POST', '/api/answer-audit-logs/batch', { body: { records: items } });
  expect({ status, text: status < 300 ? '' : text }).toEqual({ status: expect.any(Number), text: '' });
}

/** Waits until a tree of so many leaves is published. */
async function untilPublished(size: number): Promise<void> {
  await until(
    `a checkpoint of ${size} leaves`,
    async () => {
      const { items } = (await service.call('GET', '/api/trust/checkpoints')).body;
      return (items[0]?.tree_size ?? 0) >= size;
    },
    DEADLINE_MS / 2,
  );
}

const command = (...args: readonly string[]) => runCliCommand(['--output', 'json', ...args], service);
const exportLog = (source = `${service.baseUrl}/tlog/${service.workspace}`) =>
  command('log', 'export', source, '--to', at('copy'), '--trust', at('trust.json'));
const monitor = () => command('monitor', host.url, '--trust', at('trust.json'), '--state', at('state.json'), '--once');
const fsck = () =>
  runProgram(FSCK, ['--storage_url', `${host.url}/`, '--public_key', at('copy/log-1.vkey'), '--ui=false'], {});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'answer-evidence-export-'));
  service = await openTestService();
  const policy = { ...EAGER_POLICY, public_log: true };
  expect((await service.call('PUT', '/api/trust/policy', { body: policy })).status).toBe(200);
  await runCliCommand(['trust', 'export', '--out', at('trust.json')], service);
  await record(300);
  await untilPublished(300);
  host = await serve();
}, DEADLINE_MS);
afterAll(async () => {
  await host.close();
  await service.close();
  await rm(folder, { recursive: true, force: true });
}, DEADLINE_MS);

describe('a log as a folder', () => {
  it(
    'is brought up to date, is read like the log by verify and monitor, and has no text',
    async () => {
      const first = await exportLog();
      expect({ code: first.code, stderr: first.code === 0 ? '' : first.stderr }).toEqual({ code: 0, stderr: '' });
      expect(JSON.parse(first.stdout)).toMatchObject({ earlier_tree_size: null, entry_tiles_read: 2 });
      expect((await monitor()).code).toBe(0);

      await record(300);
      await untilPublished(600);
      const second = await exportLog();
      expect(JSON.parse(second.stdout)).toMatchObject({ earlier_tree_size: JSON.parse(first.stdout).tree_size });
      expect((await monitor()).code).toBe(0);
      const served = await fetch(`${service.baseUrl}/tlog/${service.workspace}/checkpoint`);
      expect(await readFile(at('copy/checkpoint'), 'utf8')).toBe(await served.text());

      const files = await readdir(at('copy'), { recursive: true, withFileTypes: true });
      const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
      expect(paths.filter((path) => path.endsWith('.part'))).toEqual([]);
      for (const path of paths) expect((await readFile(path)).includes(QUESTION)).toBe(false);

      const verified = await command('verify', at('copy'), '--trust', at('trust.json'));
      expect(verified.code).toBe(0);
      expect(verified.stdout).not.toContain('"FAIL"');
    },
    DEADLINE_MS,
  );

  it(
    'keeps its checkpoint beside another log, a wrong key and a log that was rolled back',
    async () => {
      const kept = await readFile(at('copy/checkpoint'), 'utf8');
      const trust = JSON.parse(await readFile(at('trust.json'), 'utf8'));
      await writeFile(
        at('other.json'),
        JSON.stringify({ ...trust, logs: [{ ...trust.logs[0], origin: 'x.example' }] }),
      );
      const source = `${service.baseUrl}/tlog/${service.workspace}`;
      const byOther = await command('log', 'export', source, '--to', at('copy'), '--trust', at('other.json'));
      expect(byOther).toMatchObject({ code: 1, stderr: expect.stringContaining('the trust file does not name') });
      const noLog = await exportLog(`${service.baseUrl}/tlog/nobody`);
      expect(noLog.code).not.toBe(0);

      // The copy is larger than what this folder shows, which is the log as it was before.
      const older = await command('log', 'export', source, '--to', at('older'), '--trust', at('trust.json'));
      await record(3);
      await untilPublished(JSON.parse(older.stdout).tree_size + 3);
      expect((await exportLog()).code).toBe(0);
      const rolledBack = await exportLog(at('older'));
      expect(rolledBack).toMatchObject({ code: 1, stderr: expect.stringContaining('it was rolled back') });
      expect(await readFile(at('copy/checkpoint'), 'utf8')).not.toBe(kept);
    },
    DEADLINE_MS,
  );
});

describeWithLogs('a log as a folder, for others', () => {
  it(
    "is accepted by Tessera's fsck after its operator is gone, and refused with one byte changed",
    async () => {
      const hybrid = { ...EAGER_POLICY, public_log: true, log_signatures: 'hybrid' };
      expect((await service.call('PUT', '/api/trust/policy', { body: hybrid })).status).toBe(200);
      const { body } = await service.call('GET', '/api/trust/checkpoints');
      await record(3);
      await untilPublished(body.items[0].tree_size + 3);
      await runCliCommand(['trust', 'export', '--out', at('trust.json')], service);
      expect((await exportLog()).code).toBe(0);
      // A signature by Ed25519 and one by ML-DSA-44, and a key of each.
      expect((await readFile(at('copy/checkpoint'), 'utf8')).match(/^\u2014 /gm)).toHaveLength(2);
      expect(await readdir(at('copy'))).toEqual(expect.arrayContaining(['log-1.vkey', 'log-2.vkey']));
      await service.stop();
      expect((await fsck()).output).toMatch(/Successfully fsck'd log with size \d+/);
      expect((await monitor()).code).toBe(0);
      // Of an earlier tile that is damaged, this version of fsck says nothing, and never ends.
      const size = Number((await readFile(at('copy/checkpoint'), 'utf8')).split('\n')[1]);
      const tile = at(`copy/${formatTilePath('entries', Math.floor(size / TILE_WIDTH), size % TILE_WIDTH)}`);
      const bytes = await readFile(tile);
      bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
      await writeFile(tile, bytes);
      // Its exit code is 0 all the same.
      expect((await fsck()).output).toContain('fsck failed');
      expect((await command('verify', at('copy'), '--trust', at('trust.json'))).code).toBe(1);
    },
    DEADLINE_MS,
  );
});
