import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { join } from 'node:path';
import { describe } from '@jest/globals';

const SOURCES = join(import.meta.dirname, '../../packages/python/src');

const found = spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' });
const hasTools = found.status === 0 && spawnSync('openssl', ['version']).status === 0;
/** The interpreter itself: a `python3` that chooses one of several versions takes as long as the verifier. */
const PYTHON = hasTools ? found.stdout.trim() : 'python3';

/** Runs tests that need Python and OpenSSL where they are installed, and always where every service is required. */
export const describeWithTools = hasTools || process.env['REQUIRE_SERVICES'] !== undefined ? describe : describe.skip;

/** Runs `answer-evidence-verify` of the package in Python from its sources, which need nothing that is installed. */
export function runPythonVerifier(args: readonly string[], input = ''): SpawnSyncReturns<string> {
  return spawnSync(PYTHON, ['-m', 'answer_evidence.verify', ...args], {
    encoding: 'utf8',
    env: { ...process.env, PYTHONPATH: SOURCES },
    input,
    maxBuffer: 1 << 28,
  });
}
