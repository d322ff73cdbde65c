import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { findFreePort } from '@answer-evidence/testing';
import { REPOSITORY, type ServiceProcess, watch } from '../tools/scenery/service-process.ts';

const DEADLINE_MS = 300_000;
const DAYS = 3;
const ENVIRONMENT = { ...process.env, SERVICE_METRICS_PORT: '0' };

let folder: string;
let port: number;
const running: ServiceProcess[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'demo-'));
  port = await findFreePort();
});
afterAll(async () => {
  for (const one of running) {
    one.kill('SIGTERM');
    await one.exited;
  }
  await rm(folder, { recursive: true, force: true });
});

function demo(...args: string[]): ServiceProcess {
  const words = ['--disable-warning=ExperimentalWarning', 'tools/demo/main.ts', ...args];
  const one = watch(
    spawn(process.execPath, words, { cwd: REPOSITORY, stdio: ['ignore', 'pipe', 'pipe'], env: ENVIRONMENT }),
  );
  // Ended before it is ready, where that is what is looked at.
  one.ready.catch(() => undefined);
  running.push(one);
  return one;
}

const start = () => demo('--data', folder, '--days', String(DAYS), '--port', String(port));

async function call(method: string, path: string, token: string | undefined, body?: object): Promise<any> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: {
      'Content-Type': 'application/json',
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${text}`);
  return JSON.parse(text);
}

async function signIn(): Promise<string> {
  const { username, password } = JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8'));
  const { token } = await call('POST', '/api/auth/login', undefined, { username, password, workspace: 'demo' });
  return token;
}

it(
  'a demonstration has days of answers that were made at their times, and a whole ledger',
  async () => {
    const first = start();
    await first.ready;
    const token = await signIn();
    const { items } = await call('GET', '/api/answer-audit-logs?size=100', token);
    const days = new Set(items.map(({ created_at }: { created_at: string }) => created_at.slice(0, 10)));
    expect(days.size).toBeGreaterThanOrEqual(DAYS);
    expect(new Set(items.map(({ environment }: { environment: string }) => environment))).toEqual(
      new Set(['demonstration']),
    );
    const statuses = new Set(items.map(({ status }: { status: string }) => status));
    expect(statuses.has('recorded') && statuses.has('corrected')).toBe(true);
    const { items: runs } = await call('GET', '/api/reconciliations/runs', token);
    expect(runs.map(({ status }: { status: string }) => status)).toEqual(runs.map(() => 'completed'));
    expect(runs.some(({ counts }: any) => counts.matched > 0)).toBe(true);
    const check = await call('POST', '/api/trust/ledger-checks', token, {});
    expect(check).toMatchObject({ outcome: 'PASS', findings: [] });
    const { exited } = first;
    first.kill('SIGTERM');
    expect(await exited).toEqual({ code: 0, signal: null });

    // What is there stays, and so does the password.
    const second = start();
    await second.ready;
    const { items: again } = await call('GET', '/api/answer-audit-logs?size=100', await signIn());
    expect(again.map(({ id }: { id: string }) => id)).toEqual(items.map(({ id }: { id: string }) => id));
    second.kill('SIGTERM');
    expect(await second.exited).toEqual({ code: 0, signal: null });
  },
  DEADLINE_MS,
);

it(
  'a folder with other files is left alone',
  async () => {
    const other = await mkdtemp(join(tmpdir(), 'demo-other-'));
    try {
      await writeFile(join(other, 'mine.txt'), 'mine');
      const refused = demo('--data', other);
      expect(await refused.exited).toEqual({ code: 1, signal: null });
      expect(refused.stderr.join('\n')).toContain('name an empty folder with --data');
      expect(await readFile(join(other, 'mine.txt'), 'utf8')).toBe('mine');
    } finally {
      await rm(other, { recursive: true });
    }
  },
  DEADLINE_MS,
);
