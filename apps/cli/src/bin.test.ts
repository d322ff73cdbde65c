import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const run = promisify(execFile);
const PROGRAM = join(import.meta.dirname, '../bin/answer-evidence.mjs');
const TIMEOUT_MS = 120_000;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ae-cli-bin-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the command line as the repository does, with nothing in its environment but this. */
async function start(args: readonly string[], options: { readonly uid?: number; readonly cache?: string } = {}) {
  const env = options.cache === undefined ? {} : { ANSWER_EVIDENCE_CLI_CACHE: options.cache };
  const who = options.uid === undefined ? {} : { uid: options.uid };
  const started = run(process.execPath, [PROGRAM, ...args], { env, cwd: '/', ...who });
  return started.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
  );
}

const bundles = () => readdirSync(folder).filter((name) => name.endsWith('.mjs'));

describe('the command line of the repository', () => {
  it(
    'is bundled once, and again when a source has changed',
    async () => {
      const version = async () => (await start(['--version'], { cache: folder })).stdout;
      expect(await version()).toMatch(/^answer-evidence \d/);
      const [first] = bundles();
      expect(await version()).toMatch(/^answer-evidence \d/);
      expect(bundles()).toEqual([first]);
      const manifest = join(folder, 'bundle.json');
      const kept = JSON.parse(readFileSync(manifest, 'utf8')) as { inputs: [string, string][] };
      expect(kept.inputs.map(([path]) => path)).toContain('apps/cli/src/main.ts');
      writeFileSync(manifest, JSON.stringify({ ...kept, inputs: [['apps/cli/src/main.ts', '0 0']] }));
      expect(await version()).toMatch(/^answer-evidence \d/);
      expect(bundles()).toHaveLength(2);
      writeFileSync(manifest, '{');
      expect(await version()).toMatch(/^answer-evidence \d/);
    },
    TIMEOUT_MS,
  );

  it(
    'runs without HOME, and says what is missing',
    async () => {
      const { code, stderr } = await start(['whoami']);
      expect([code, stderr]).toEqual([2, expect.stringMatching(/^error: no registry: [^\n]*\n$/)]);
    },
    TIMEOUT_MS,
  );

  const asRoot = process.getuid?.() === 0 ? it : it.skip;
  asRoot(
    'runs under a uid that no user has, as in some containers',
    async () => {
      const { code, stderr } = await start(['whoami'], { uid: 1_000_650 });
      expect([code, stderr]).toEqual([2, expect.stringMatching(/^error: no registry: [^\n]*\n$/)]);
      expect(stderr).toContain(' /.config/answer-evidence/config.yaml');
    },
    TIMEOUT_MS,
  );
});
