import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type FakeService, openFakeService } from './testing/fake-service.ts';

const TIMEOUT_MS = 60_000;
const ANSWERS = 20;

let service: FakeService;
beforeEach(async () => {
  service = await openFakeService();
});
afterEach(() => service.close());

/** How a process ended that had recorded 20 answers. */
async function runToEnd(url: string, end: string, runtime: readonly string[] = [process.execPath]) {
  const program = join(import.meta.dirname, 'testing/record-and-end.ts');
  const [command = '', ...options] = runtime;
  const child = spawn(command, [...options, program, url, end], { stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
    child.on('close', (exit, by) => resolve([exit, by]));
  });
  return { code, signal, stderr };
}

/** The ends of a process, with how it ends for anyone who watches. */
const ENDS: readonly (readonly [string, string, object, number])[] = [
  ['ends by itself', 'itself', { code: 0, signal: null, stderr: '' }, ANSWERS],
  ['is ended by SIGTERM', 'signal', { code: null, signal: 'SIGTERM', stderr: '' }, ANSWERS],
  ['is ended by SIGINT', 'interrupt', { code: null, signal: 'SIGINT', stderr: '' }, ANSWERS],
  ['handles the signal itself', 'own-handler', { code: 7, signal: null, stderr: '' }, ANSWERS],
  ['calls process.exit', 'exit', { code: 3, signal: null, stderr: '' }, ANSWERS],
  ['throws what nobody catches', 'error', { code: 1, stderr: expect.stringContaining('a fault of the') }, ANSWERS],
  ['rejects what nobody catches', 'rejection', { code: 1, stderr: expect.stringContaining('a fault of the') }, ANSWERS],
  ['has a thread that ends', 'thread', { code: 0, stderr: '' }, ANSWERS],
  ['has a thread that calls process.exit', 'thread-exit', { code: 0, stderr: '' }, ANSWERS],
  ['is a cluster that ends', 'cluster', { code: 0, stderr: '' }, 2 * ANSWERS],
  ['has 20 clients', 'many', { code: 0, stderr: '' }, 20 * ANSWERS],
  ['is frozen or killed after a flush', 'per-invocation', { signal: 'SIGKILL', stderr: '' }, ANSWERS],
];

describe('a process', () => {
  it.each(ENDS)(
    'that %s sends all that it holds, once, and ends as it would have',
    async (_, end, shown, answers) => {
      expect(await runToEnd(service.url, end)).toMatchObject(shown);
      const questions = [...service.records.values()].map(({ question }) => question.text);
      expect(new Set(questions).size).toBe(answers);
    },
    TIMEOUT_MS,
  );

  it.each(['itself', 'exit'])(
    'whose service is unavailable ends all the same, and says what it lost: %s',
    async (end) => {
      const { code, stderr } = await runToEnd('http://127.0.0.1:9', end);
      expect(code).toBe(end === 'exit' ? 3 : 0);
      expect(stderr).toContain('20 answers were not sent before the process ended');
    },
    TIMEOUT_MS,
  );
});

const has = (program: string) => spawnSync(program, ['--version']).status === 0;

(has('bun') ? describe : describe.skip)('a process of Bun', () => {
  it.each(['itself', 'signal', 'exit'])(
    'sends all that it holds: %s',
    async (end) => {
      await runToEnd(service.url, end, ['bun', 'run']);
      expect(service.records.size).toBe(ANSWERS);
    },
    TIMEOUT_MS,
  );
});

(has('deno') ? describe : describe.skip)('a process of Deno', () => {
  it.each(['itself', 'signal'])(
    'sends all that it holds: %s',
    async (end) => {
      await runToEnd(service.url, end, ['deno', 'run', '-A', '--no-check']);
      expect(service.records.size).toBe(ANSWERS);
    },
    TIMEOUT_MS,
  );
});
