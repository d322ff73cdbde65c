import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  compiledFolder,
  describeWithPythonTools,
  forgetCompiled,
  pythonBin,
  requiresPythonTools,
  runTool,
  toolsFolder,
} from '../tools/foreign-tools/python-tools.ts';
import { writePythonReference } from '../tools/reference/write-python-reference.ts';
import { openTestService, type TestService } from '../tools/scenery/test-service.ts';

const REPOSITORY = resolve(import.meta.dirname, '..');
const PACKAGE = join(REPOSITORY, 'packages/python');
const DEADLINE_MS = 900_000;

let service: TestService;
let folder: string;

beforeAll(async () => {
  service = await openTestService();
  folder = await mkdtemp(join(tmpdir(), 'python-package-'));
}, DEADLINE_MS);
afterAll(async () => {
  await service.close();
  await forgetCompiled(folder);
  await rm(folder, { recursive: true, force: true });
});

/** A tool that has to find nothing wrong. */
async function pass(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { code, output } = await runTool(program, args, { cwd: PACKAGE, env });
  expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
  return output;
}

function isOptional(skipped: string): boolean {
  return requiresPythonTools ? false : skipped.includes('not installed: redis-server;');
}

describeWithPythonTools('the Python package', () => {
  it(
    'is formatted, free of faults that a linter finds, and typed strictly',
    async () => {
      await pass('ruff', ['format', '--check', '--no-cache', '.']);
      await pass('ruff', ['check', '--no-cache', '.']);
      // Kept between runs: it judges again each file that has changed, and each that depends on one.
      await pass('mypy', ['--cache-dir', join(toolsFolder, 'mypy-cache'), 'src', 'tests']);
    },
    DEADLINE_MS,
  );

  it(
    'has reference pages of each module that applications import',
    async () => {
      const pages = join(folder, 'reference');
      await writePythonReference(REPOSITORY, join(pythonBin, 'python'), pages, compiledFolder);
      expect(await readFile(join(pages, 'answer_evidence.html'), 'utf8')).toContain('AsyncAnswerEvidence');
      expect((await readdir(join(pages, 'answer_evidence'))).sort()).toEqual([
        'langchain.html',
        'llama_index.html',
        'otel.html',
        'verify.html',
      ]);
    },
    DEADLINE_MS,
  );

  it(
    'passes its tests as the wheel that it is built into, against this service',
    async () => {
      await pass('python', ['-m', 'hatchling', 'build', '--target', 'wheel', '--directory', folder]);
      const wheel = (await readdir(folder)).find((name) => name.endsWith('.whl')) ?? 'no wheel';
      const installed = join(folder, 'installed');
      await pass('python', [
        '-m',
        'pip',
        'install',
        '--quiet',
        '--no-deps',
        '--no-compile',
        '--target',
        installed,
        join(folder, wheel),
      ]);
      const output = await pass('python', ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', '-rs', '--durations=5'], {
        PYTHONPATH: installed,
        ANSWER_EVIDENCE_TEST_URL: service.baseUrl,
        ANSWER_EVIDENCE_TEST_TOKEN: service.managerToken,
        PIP_DISABLE_PIP_VERSION_CHECK: '1',
        // No test asks over TLS, and each client would read the authorities of the web.
        SSL_CERT_DIR: folder,
        // It would come before the folder.
        SSL_CERT_FILE: '',
        // Packages that are installed beside it bring plugins that no test here uses.
        PYTEST_DISABLE_PLUGIN_AUTOLOAD: '1',
      });
      expect(output).toMatch(/\d+ passed/);
      // Only what needs a Redis may be missing, and only where it may.
      const skipped = output.split('\n').filter((line) => line.startsWith('SKIPPED') && !isOptional(line));
      expect(skipped).toEqual([]);
      expect(output).not.toMatch(/warning/);
    },
    DEADLINE_MS,
  );
});
