import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { rm, rmdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe } from '@jest/globals';
import { isInstalled as isOnPath } from '@answer-evidence/testing';

/** Files beside this one. */
export function fileHere(name: string): string {
  return fileURLToPath(new URL(`./${name}`, import.meta.url));
}

const VERSION = createHash('sha256')
  .update(readFileSync(fileHere('requirements.txt')))
  .digest('hex')
  .slice(0, 16);
const CACHE = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
/** Where `install.sh` puts the tools. */
export const toolsFolder = join(CACHE, 'answer-evidence', `openapi-tools-${VERSION}`);
/** Where their programs are. */
export const pythonBin = join(toolsFolder, 'bin');
/**
 * Where Python keeps what it has compiled of the tools and their packages, which would otherwise cost half of what they
 * compute. It is kept between runs, as they are.
 */
export const compiledFolder = join(toolsFolder, 'compiled');
/**
 * Where Hypothesis, which draws the requests of schemathesis, keeps its tables of Unicode. They depend on nothing but
 * the versions of it and of Python, and otherwise each run makes them from all code points.
 */
const unicodeFolder = join(toolsFolder, 'hypothesis');
const isInstalled = existsSync(join(toolsFolder, 'complete'));

if (!isInstalled) process.stderr.write('foreign tools: not installed; tools/foreign-tools/install.sh installs them\n');

const { REQUIRE_SERVICES, FOREIGN_TOOLS } = process.env;

/** Whether tests that need the Python tools must run; `FOREIGN_TOOLS=skip` is where no package index is reached. */
export const requiresPythonTools = REQUIRE_SERVICES !== undefined && FOREIGN_TOOLS !== 'skip';

/** Runs tests that need the Python tools where they are installed, and where every service is required. */
export const describeWithPythonTools = isInstalled || requiresPythonTools ? describe : describe.skip;

/** Whether tests of programs in Go must run: every service is required, Go is there, and it could build them. */
const requiresGoTools = requiresPythonTools && isOnPath('go') && !existsSync(join(toolsFolder, 'go-incomplete'));

/** Whether tests that need these programs in Go run: where they are built, or must be. */
export function runsGoTools(...programs: readonly string[]): boolean {
  const missing = programs.filter((program) => !existsSync(program));
  if (missing.length === 0) return true;
  process.stderr.write(`${missing.join(', ')}: not built; tools/foreign-tools/install.sh does where Go is\n`);
  return requiresGoTools;
}

/** Removes what was compiled of the modules in a temporary folder. */
export async function forgetCompiled(folder: string): Promise<void> {
  const compiled = join(compiledFolder, folder);
  await rm(compiled, { recursive: true, force: true });
  // The folder of the run around it stays while another file of the run has modules there.
  await rmdir(dirname(compiled)).catch(() => undefined);
}

/** How a program has ended, and what it wrote. */
type Ended = { readonly code: number; readonly output: string };

/** Runs a program of the tools. The service that it asks is in this process, so nothing here waits without yielding. */
export function runTool(
  program: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>>; readonly input?: string } = {},
): Promise<Ended> {
  return run(join(pythonBin, program), args, {
    ...options,
    env: { PYTHONPYCACHEPREFIX: compiledFolder, HYPOTHESIS_STORAGE_DIRECTORY: unicodeFolder, ...options.env },
  });
}

/** Runs any program. */
export async function run(
  file: string,
  args: readonly string[],
  {
    cwd,
    env = {},
    input,
  }: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>>; readonly input?: string },
): Promise<Ended> {
  const running = promisify(execFile)(file, [...args], {
    ...(cwd === undefined ? {} : { cwd }),
    env: { ...process.env, ...env },
    maxBuffer: 64 * 1024 * 1024,
  });
  running.child.stdin?.end(input);
  try {
    const { stdout, stderr } = await running;
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const {
      code,
      stdout = '',
      stderr = '',
      message,
    } = error as Error & { code?: unknown; stdout?: string; stderr?: string };
    return { code: typeof code === 'number' ? code : -1, output: `${stdout}${stderr}` || message };
  }
}
