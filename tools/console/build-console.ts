import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';

const APP = 'apps/console';
/** Beside the built files: the digest of what they were made from. */
const MADE_FROM = 'dist/.made-from';
/** What goes into the pages, besides the packages of the lock file. */
const SOURCES = [
  APP,
  'libs/client',
  'libs/contracts',
  'libs/domain',
  'packages/verify/src',
  'libs/adapters/pack-page/src',
];
const NOT_SOURCES = new Set(['node_modules', 'dist']);
const NO_TEST = /\.(test|contract)\.tsx?$/;

/** What has become of a build. */
type BuildOutcome = 'built' | 'unchanged' | 'failed' | 'absent';

/** Builds the console of a repository; with `isIfNeeded`, only where what it is made from has changed. */
export async function buildConsole(
  root: string,
  { isIfNeeded, report }: { readonly isIfNeeded: boolean; readonly report: (line: string) => void },
): Promise<BuildOutcome> {
  const app = join(root, APP);
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  // A copy of the service without its tools has the built files, or goes without them.
  if (!existsSync(join(app, 'package.json')) || !existsSync(vite)) return 'absent';
  const digest = await digestSources(root);
  if (isIfNeeded && (await readFile(join(app, MADE_FROM), 'utf8').catch(() => '')) === digest) return 'unchanged';
  report('building the console (some seconds; only after a change)');
  const exitCode = await run(process.execPath, [vite, 'build', '--logLevel', 'warn'], app);
  if (exitCode !== 0) {
    report('the console was not built; the service runs without it. npm run console:build tells why');
    return 'failed';
  }
  await writeFile(join(app, MADE_FROM), digest);
  return 'built';
}

/** One digest over the names and contents of everything that the pages are made from. */
async function digestSources(root: string): Promise<string> {
  const hash = createHash('sha256');
  for (const folder of SOURCES) {
    for (const path of await listFiles(join(root, folder))) {
      hash.update(`${relative(root, path)}\0`).update(await readFile(path));
    }
  }
  hash.update(await readFile(join(root, 'package-lock.json')));
  return hash.digest('hex');
}

async function listFiles(folder: string): Promise<readonly string[]> {
  if (!existsSync(folder)) return [];
  const found: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !NOT_SOURCES.has(entry.name)) found.push(...(await listFiles(path)));
    else if (entry.isFile() && !NO_TEST.test(entry.name)) found.push(path);
  }
  return found.sort();
}

function run(program: string, args: readonly string[], cwd: string): Promise<number> {
  return new Promise((resolve) => {
    // What it says goes where progress goes: standard output is for the logs of the service.
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, NODE_ENV: 'production' },
      stdio: ['ignore', 2, 2],
    });
    child.on('error', () => resolve(1));
    child.on('close', (code) => resolve(code ?? 1));
  });
}
