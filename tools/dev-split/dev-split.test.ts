import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findFreePort, listen } from '@answer-evidence/testing';
import { SPLIT_ROLES } from '../proxy/routing-table.ts';
import { bundle, finish, type Finished, readToken, runOperatorCommand, watch } from '../scenery/service-process.ts';
import { answer } from '../scenery/test-service.ts';

const MINUTES_MS = 60_000;
const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));

let folder: string;
let port: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'answer-evidence-split-'));
  port = await findFreePort();
});
afterAll(async () => {
  await run('stop');
  await rm(folder, { recursive: true, force: true });
}, MINUTES_MS);

function run(...args: readonly string[]): Promise<Finished> {
  const { DATABASE_URL: _1, REDIS_URL: _2, S3_ENDPOINT: _3, ...env } = process.env;
  const words = [MAIN, ...args, '--data', folder];
  return finish(watch(spawn(process.execPath, ['--no-warnings', ...words], { env })));
}

async function databaseUrl(): Promise<string> {
  const [port, password] = await Promise.all(
    ['port', 'password'].map(async (name) => (await readFile(join(folder, 'postgres', name), 'utf8')).trim()),
  );
  return `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
}

async function call(method: string, path: string, body?: object): Promise<any> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { Authorization: `Bearer ${await readToken(folder)}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return response.json();
}

describe('npm run dev:split', () => {
  it(
    'says what to do where it cannot start, and makes nothing then',
    async () => {
      const other = await listen((_, reply) => reply.end());
      const refused = await run('start', '--port', new URL(other.url).port, '--objects', 'folder');
      await other.close();
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain('is taken; end the program that uses it, or make a new folder with --data');
      expect((await run('status')).stdout).toBe('does not run; npm run dev:split starts it');
      await expect(readToken(folder)).rejects.toThrow('ENOENT');
      expect(await run('logs', 'printer')).toMatchObject({ code: 1, stderr: expect.stringContaining('supervisor') });
      expect((await run('dance')).stderr).toContain('there is no command "dance"');
    },
    MINUTES_MS,
  );

  it(
    'runs the five processes behind one address, and has every record again after a stop',
    async () => {
      const start = ['start', '--port', String(port), '--objects', 'folder', '--program', bundle('server')];
      const started = await run(...start);
      expect([started.code, started.stderr]).toEqual([0, '']);
      const { id } = await call('POST', '/api/answer-audit-logs', answer('is the shop open?'));
      const running = await run('status');
      expect(running.code).toBe(0);
      for (const name of ['postgres', 'proxy', ...SPLIT_ROLES])
        expect(running.stdout).toMatch(new RegExp(`^${name} +running`, 'm'));
      const metrics = /^trust-worker .* metrics (\S+)$/m.exec(running.stdout)?.[1] ?? '';
      expect(await (await fetch(metrics)).text()).toContain('ledger_heads_unkept_seconds');
      const settings = { DATABASE_URL: await databaseUrl(), REDIS_URL: 'redis://127.0.0.1:9' };
      const doctor = await runOperatorCommand(['doctor', '--json'], { dataDir: folder, environment: settings });
      const findings = doctor.stdout.split('\n').map((line) => JSON.parse(line) as { name: string; outcome: string });
      expect(findings.find(({ name }) => name === 'database.connections')?.outcome).toBe('PASS');
      expect((await run('start')).stdout).toContain('runs already');
      const stopped = await run('stop');
      expect([stopped.code, stopped.stdout]).toEqual([0, 'stopped; all data stays']);
      await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();

      // The port is the one of the first start.
      expect((await run('start', '--program', bundle('server'), '--objects', 'folder')).code).toBe(0);
      expect(await call('GET', `/api/answer-audit-logs/${id}`)).toMatchObject({ id, answer: { text: 'an answer' } });
      // Another process than the one that took it.
      expect(await call('GET', `/api/answer-audit-logs/${id}/ledger/verify`)).toMatchObject({ answer_log_id: id });
      expect((await run('logs', 'trust-worker')).stdout).toContain('as trust-worker, stages trust');
      expect(
        (await readFile(join(folder, 'logs/supervisor.log'), 'utf8')).match(/^created the workspace/gm),
      ).toBeNull();
    },
    3 * MINUTES_MS,
  );
});
