import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { join } from 'node:path';
import { describe } from '@jest/globals';

const SOURCES = join(import.meta.dirname, '../../packages/python/src');

const isThere = (command: string, argument: string) => spawnSync(command, [argument]).status === 0;
const hasTools = isThere('python3', '--version') && isThere('openssl', 'version');

/** Runs tests that need Python and OpenSSL where they are installed, and always where every service is required. */
export const describeWithTools = hasTools || process.env['REQUIRE_SERVICES'] !== undefined ? describe : describe.skip;

/** Runs `answer-evidence-verify` of the package in Python from its sources, which need nothing that is installed. */
export function runPythonVerifier(args: readonly string[], input = ''): SpawnSyncReturns<string> {
  return spawnSync('python3', ['-m', 'answer_evidence.verify', ...args], {
    encoding: 'utf8',
    env: { ...process.env, PYTHONPATH: SOURCES },
    input,
    maxBuffer: 1 << 28,
  });
}
