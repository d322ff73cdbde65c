import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type FakeService, openFakeService, problem, recordOf } from './testing/fake-service.ts';

const TIMEOUT_MS = 60_000;
const ANSWERS = 20;
const JSON_TYPE = { 'content-type': 'application/json' };

let service: FakeService;
beforeEach(async () => {
  service = await openFakeService();
});
afterEach(() => service.close());

/** How a process ended that had recorded 20 answers. */
async function runToEnd(
  url: string,
  end: string,
  runtime: readonly string[] = [process.execPath],
  environment: Readonly<Record<string, string>> = {},
) {
  const program = join(import.meta.dirname, 'testing/record-and-end.ts');
  const [command = '', ...options] = runtime;
  const child = spawn(command, [...options, program, url, end], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...environment },
  });
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

describe('a process at its end', () => {
  const questions = () => new Set(service.sent.map(({ question }) => question.text)).size;

  it.each(['itself', 'signal', 'exit'])(
    'waits as long as the answers go out, however slowly: %s',
    async (end) => {
      // Five rounds, which take longer than any single wait.
      service.respond((response, request) => {
        setTimeout(() => response.writeHead(201, JSON_TYPE).end(JSON.stringify(recordOf(request))), 1_600);
      });
      const { stderr } = await runToEnd(service.url, end);
      expect([questions(), stderr]).toEqual([ANSWERS, '']);
    },
    TIMEOUT_MS,
  );

  it(
    'tries again what a busy service has put off, where it cannot wait itself',
    async () => {
      let put = 0;
      service.respond((response, request) => {
        put += 1;
        if (put <= ANSWERS) problem(503, 'ledger_unavailable')(response, request);
        else response.writeHead(201, JSON_TYPE).end(JSON.stringify(recordOf(request)));
      });
      expect(await runToEnd(service.url, 'exit')).toEqual({ code: 3, signal: null, stderr: '' });
    },
    TIMEOUT_MS,
  );

  it(
    'gives up what the service refuses for good, and says so',
    async () => {
      service.respond(problem(401, 'unauthenticated'));
      const { stderr } = await runToEnd(service.url, 'exit');
      expect(stderr).toContain('20 answers were not sent before the process ended');
      expect(service.sent).toHaveLength(ANSWERS);
    },
    TIMEOUT_MS,
  );

  it(
    'has nothing of the application run in the process that sends for it',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'answer-evidence-ends-'));
      try {
        const file = join(folder, 'runs');
        const script = join(folder, 'each.cjs');
        await writeFile(script, `require('node:fs').appendFileSync(${JSON.stringify(file)}, 'run.');`);
        const runtime = [process.execPath, '--dns-result-order=ipv4first', '--require', script];
        await runToEnd(service.url, 'exit', runtime, {
          NODE_OPTIONS: `--require ${script} --max-http-header-size=9999`,
        });
        expect([questions(), await readFile(file, 'utf8')]).toEqual([ANSWERS, 'run.']);
      } finally {
        await rm(folder, { recursive: true });
      }
    },
    TIMEOUT_MS,
  );

  it(
    'says what it lost after a signal, too, while the service is unavailable',
    async () => {
      expect(await runToEnd('http://127.0.0.1:9', 'signal')).toEqual({
        code: null,
        signal: 'SIGTERM',
        stderr: expect.stringContaining('20 answers were not sent before the process ended'),
      });
    },
    TIMEOUT_MS,
  );

  it(
    'ends at once by a second signal, and says what is lost',
    async () => {
      service.respond(() => undefined);
      expect(await runToEnd(service.url, 'two-signals')).toEqual({
        code: null,
        signal: 'SIGINT',
        stderr: expect.stringContaining('answers were not sent before the process ended'),
      });
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
