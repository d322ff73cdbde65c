import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { build as buildWithVite } from 'vite';
import type { verifyBundle as verify } from '../../../packages/verify/src/index.ts';
import { buildPackage } from './build-package.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../../..');
const TIMEOUT_MS = 300_000;
const PROGRAM = `
import { AnswerEvidence, ConfigurationError, type Options } from '@answer-evidence/sdk';
import { observe } from '@answer-evidence/sdk/openai';
import { observe as observeAnthropic } from '@answer-evidence/sdk/anthropic';
import { evidenceTelemetry } from '@answer-evidence/sdk/ai';
import { evidenceCallbacks } from '@answer-evidence/sdk/langchain';
import { verifyBundle } from '@answer-evidence/verify';
const options: Options = { application: 'x' };
export async function use() {
  const evidence = new AnswerEvidence(options);
  observe({}, evidence);
  observeAnthropic({}, evidence);
  evidenceTelemetry(evidence);
  evidenceCallbacks(evidence);
  const { recorded } = await evidence.record({ question: 'q', answer: 'a' });
  // @ts-expect-error A record has no such member: what is imported has types.
  (await recorded).unknown;
}
export { ConfigurationError, verifyBundle };
`;

let project: string;

beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'ae-consumers-'));
  mkdirSync(join(project, 'node_modules/@answer-evidence'), { recursive: true });
  for (const name of ['sdk', 'verify']) {
    await buildPackage(ROOT, `packages/${name}`, join(project, 'built', name));
    symlinkSync(join(project, 'built', name), join(project, 'node_modules/@answer-evidence', name));
  }
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'project', private: true, type: 'module' }));
  writeFileSync(join(project, 'program.ts'), PROGRAM);
}, TIMEOUT_MS);

afterAll(() => rmSync(project, { recursive: true, force: true }));

describe('a project that has no types of Node', () => {
  it.each([
    ['tsc7', 'nodenext', 'nodenext', ['es2022', 'dom']],
    ['tsc7', 'nodenext', 'nodenext', ['es2022']],
    ['tsc7', 'esnext', 'bundler', ['es2022']],
    ['typescript', 'node16', 'node16', ['es2022']],
    ['typescript', 'es2022', 'node10', ['es2022', 'dom']],
    ['typescript', 'es2022', 'node10', ['es2022']],
  ])(
    'type-checks what it imports, the declarations included: %s, %s, %s, %j',
    async (compiler, module, moduleResolution, lib) => {
      const checks = { strict: true, noEmit: true, skipLibCheck: false, types: [], target: 'es2022', lib };
      const old = moduleResolution === 'node10' ? { ignoreDeprecations: '6.0' } : {};
      const compilerOptions = { ...checks, module, moduleResolution, ...old };
      writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
      const tsc = join(ROOT, 'node_modules', compiler, 'bin/tsc');
      const output = await run(process.execPath, [tsc, '-p', project]).catch((error: { stdout: string }) => error);
      expect(output.stdout).toBe('');
    },
    TIMEOUT_MS,
  );
});

describe('a bundle for browsers', () => {
  async function expectRefusal(file: string): Promise<void> {
    expect(readFileSync(file, 'utf8')).not.toMatch(/\bfrom ?["']node:|\brequire\(["']/);
    const { use } = (await import(file)) as { use(): Promise<void> };
    await expect(use()).rejects.toMatchObject({ code: 'configuration', message: expect.stringMatching(/browser/) });
  }

  it(
    'is made by esbuild; the SDK in it refuses to run and says why, the verifier runs',
    async () => {
      const outfile = join(project, 'esbuild.mjs');
      const entryPoints = [join(project, 'program.ts')];
      await build({ entryPoints, outfile, bundle: true, format: 'esm', platform: 'browser', logLevel: 'silent' });
      await expectRefusal(outfile);
      const { verifyBundle } = (await import(outfile)) as { verifyBundle: typeof verify };
      const frozen = (name: string) => readFileSync(join(ROOT, 'e2e/frozen/v1', name));
      const { checks } = await verifyBundle(frozen('bundles/plain.json'), frozen('trust/trust.json'));
      expect(checks.filter(({ outcome }) => outcome === 'FAIL')).toEqual([]);
      expect(checks.filter(({ outcome }) => outcome === 'PASS').length).toBeGreaterThan(5);
    },
    TIMEOUT_MS,
  );

  it(
    'is made by Vite, likewise',
    async () => {
      await buildWithVite({
        root: project,
        configFile: false,
        logLevel: 'silent',
        build: {
          outDir: join(project, 'vite'),
          minify: false,
          lib: { entry: join(project, 'program.ts'), formats: ['es'], fileName: () => 'program.mjs' },
        },
      });
      await expectRefusal(join(project, 'vite/program.mjs'));
    },
    TIMEOUT_MS,
  );
});
