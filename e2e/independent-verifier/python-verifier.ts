import { spawn, spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe } from '@jest/globals';

const SOURCES = join(import.meta.dirname, '../../packages/python/src');

const found = spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' });
const hasTools =
  found.status === 0 &&
  spawnSync('python3', ['-c', 'import cryptography']).status === 0 &&
  spawnSync('openssl', ['version']).status === 0;
/** The interpreter itself: a `python3` that chooses one of several versions takes as long as the verifier. */
const PYTHON = hasTools ? found.stdout.trim() : 'python3';

/** Runs tests that need Python and OpenSSL where they are installed, and always where every service is required. */
export const describeWithTools = hasTools || process.env['REQUIRE_SERVICES'] !== undefined ? describe : describe.skip;

const environment = () => ({ ...process.env, PYTHONPATH: SOURCES });

/** Runs `answer-evidence-verify` of the package in Python from its sources, which need nothing that is installed. */
export function runPythonVerifier(args: readonly string[], input = ''): SpawnSyncReturns<string> {
  return spawnSync(PYTHON, ['-m', 'answer_evidence.verify', ...args], {
    encoding: 'utf8',
    env: environment(),
    input,
    maxBuffer: 1 << 28,
  });
}

/** Runs the same command many times. Anyone who opens it closes it. */
type PythonVerifier = {
  run(args: readonly string[]): Promise<{ readonly status: number; readonly stdout: string }>;
  close(): Promise<void>;
};

/**
 * One process for all runs, which the first of them starts: to start Python and read the sources takes several times as
 * long as one verification.
 */
export function openPythonVerifier(): PythonVerifier {
  let started: ReturnType<typeof start> | undefined;
  return {
    async run(args) {
      const { child, lines } = (started ??= start());
      child.stdin.write(`${JSON.stringify(args)}\n`);
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`the verifier in Python ended: ${args.join(' ')}`);
      return JSON.parse(value) as { readonly status: number; readonly stdout: string };
    },
    async close() {
      started?.child.stdin.end();
      await started?.ended;
    },
  };
}

function start() {
  const child = spawn(PYTHON, [join(import.meta.dirname, 'run_commands.py')], {
    env: environment(),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  return {
    child,
    ended: once(child, 'close'),
    lines: createInterface({ input: child.stdout })[Symbol.asyncIterator](),
  };
}
