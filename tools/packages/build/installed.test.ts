import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as sources from '../../../packages/verify/src/index.ts';
import { readLogIn } from '../../../packages/verify/src/node.ts';
import { buildPackage } from './build-package.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../../..');
const FROZEN = join(ROOT, 'e2e/frozen/v1');
const TIMEOUT_MS = 300_000;

const cases = JSON.parse(readFileSync(join(FROZEN, 'expected.json'), 'utf8')) as readonly { readonly args: string[] }[];

let folder: string;
let project: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ae-installed-'));
  project = join(folder, 'project');
  const built = join(folder, 'built');
  await buildPackage(ROOT, 'packages/verify', built);
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: built });
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'project', private: true, type: 'module' }));
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(folder, stdout.trim())], { cwd: project });
  for (const [from, to] of [
    ['bundles/plain.json', 'bundle.json'],
    ['trust/trust.json', 'trust.json'],
    ['receipts/plain.tlog-proof', 'receipt.tlog-proof'],
    ['tlog', 'log'],
  ] as const)
    cpSync(join(FROZEN, from), join(project, to), { recursive: true });
}, TIMEOUT_MS);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The programs that the README shows, in order. */
function readPrograms(): readonly string[] {
  const readme = readFileSync(join(project, 'node_modules/@answer-evidence/verify/README.md'), 'utf8');
  return [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, text = '']) => text);
}

/** The Node of the repository, and an older one where the system has it. */
function listNodes(): readonly string[] {
  const found = new Map<string, string>();
  for (const node of [process.execPath, '/usr/bin/node', '/usr/local/bin/node'])
    try {
      found.set(execFileSync(node, ['--version'], { encoding: 'utf8' }), node);
    } catch {
      // No Node is there.
    }
  return [...found].filter(([version]) => Number(/^v(\d+)/.exec(version)?.[1]) >= 20).map(([, node]) => node);
}

describe('@answer-evidence/verify, installed from its tarball outside the repository', () => {
  it('brings nothing else with it', () => {
    expect(readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
      '@answer-evidence',
    ]);
    const shown = join(project, 'node_modules/@answer-evidence/verify');
    expect(readFileSync(join(shown, 'LICENSE'), 'utf8')).toContain('Apache License');
    expect(readFileSync(join(shown, 'THIRD-PARTY-LICENSES.txt'), 'utf8')).toMatch(
      /^zod [\d.]+ \(MIT\)\n\nMIT License/m,
    );
  });

  it('type-checks the programs of its README strictly, its own declarations included', async () => {
    readPrograms().forEach((text, n) => writeFileSync(join(project, `readme-${n}.ts`), text));
    const options = ['--strict', '--noEmit', '--skipLibCheck', 'false', '--target', 'es2022', '--types', 'node'];
    const roots = ['--typeRoots', join(ROOT, 'node_modules/@types')];
    for (const mode of [
      ['nodenext', 'nodenext'],
      ['esnext', 'bundler'],
    ]) {
      const [module = '', resolution = ''] = mode;
      const how = ['--module', module, '--moduleResolution', resolution, ...options, ...roots];
      const files = readPrograms().map((_, n) => `readme-${n}.ts`);
      const tsc = join(ROOT, 'node_modules/tsc7/bin/tsc');
      await run(process.execPath, [tsc, ...how, ...files], { cwd: project }).catch((error: { stdout: string }) => {
        throw new Error(error.stdout);
      });
    }
  }, 120_000);

  it('runs the programs of its README in each Node that is here', async () => {
    const programs = readPrograms();
    expect(programs).toHaveLength(2);
    for (const node of listNodes())
      for (const [n, text] of programs.entries()) {
        // They have no types in them, so an older Node can run them too.
        writeFileSync(join(project, `readme-${n}.js`), text);
        const { stdout } = await run(node, ['--no-warnings', `readme-${n}.js`], { cwd: project });
        if (n === 0) expect(stdout).toMatch(/^PASS answer_commitment .*\n(.*\n)*verified under evidence\.example/m);
        else expect(stdout).toContain("outcome: 'PASS'");
      }
  }, 120_000);

  it('comes to the same results as the sources over every frozen bundle, in Node and as for a browser', async () => {
    const bundles = cases.map(({ args }) => args).filter(([command]) => command === 'verify');
    const expected = await verifyCases(sources, readLogIn, FROZEN, bundles);
    expect(expected.length).toBeGreaterThan(20);
    writeFileSync(join(project, 'cases.json'), JSON.stringify(bundles));
    writeFileSync(join(project, 'run-cases.js'), RUN_CASES);
    for (const condition of ['default', 'browser']) {
      const args = ['--no-warnings', '-C', condition, 'run-cases.js', FROZEN];
      const { stdout } = await run(process.execPath, args, { cwd: project, maxBuffer: 2 ** 26 });
      expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(expected)));
    }
  }, 300_000);

  it('needs no module of Node in the form for browsers', () => {
    const text = readFileSync(join(project, 'node_modules/@answer-evidence/verify/dist/index.browser.js'), 'utf8');
    expect(text).not.toMatch(/^import |\brequire\(|from ["']node:/m);
  });
});

/** Verifies bundles as the arguments of a command line say. Its text also runs in the project. */
async function verifyCases(
  { verifyBundle }: Pick<typeof sources, 'verifyBundle'>,
  readLog: typeof readLogIn,
  frozen: string,
  bundles: readonly (readonly string[])[],
) {
  return Promise.all(
    bundles.map((args) => {
      const after = (name: string) => `${frozen}/${args[args.indexOf(name) + 1] ?? ''}`;
      return verifyBundle(readFileSync(`${frozen}/${args[1] ?? ''}`), readFileSync(after('--trust')), {
        ...(args.includes('--receipt') ? { receipt: readFileSync(after('--receipt'), 'utf8') } : {}),
        ...(args.includes('--tlog') ? { log: readLog(after('--tlog')) } : {}),
      });
    }),
  );
}

const RUN_CASES = `
import { readFileSync } from 'node:fs';
import * as verifier from '@answer-evidence/verify';
import { readLogIn } from '@answer-evidence/verify/node';

${verifyCases.toString()}
const bundles = JSON.parse(readFileSync('cases.json', 'utf8'));
console.log(JSON.stringify(await verifyCases(verifier, readLogIn, process.argv[2], bundles)));
`;
