import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { openService, parseConfig, type RunningService, StartError } from '@answer-evidence/runtime';
import { runOperator } from '@answer-evidence/runtime/operator';
import { type Role, ROLES } from '@answer-evidence/runtime/roles';
import { builtVariable, programsVariable } from '@answer-evidence/testing';

export { until } from '@answer-evidence/testing';

/** How a process ended. */
export type Exit = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

/** A program of the service as a process of its own, with nothing of this one's environment but its compile cache. */
export type ServiceProcess = {
  readonly pid: number;
  /** The lines of standard error and standard output so far. */
  readonly stderr: readonly string[];
  readonly stdout: readonly string[];
  readonly exited: Promise<Exit>;
  /** The address it listens at; rejects when the process ends before that. */
  readonly ready: Promise<string>;
  kill(signal: NodeJS.Signals): void;
  /** SIGTERM, then its exit. */
  stop(): Promise<Exit>;
};

/** What to start, and as whom. */
export type ProcessOptions = {
  readonly dataDir: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly user?: { readonly uid: number; readonly gid: number };
  readonly repository?: string;
  /** The command that starts it, such as one that makes namespaces of its own. */
  readonly prefix?: readonly string[];
  /** Options of Node over those with which every command starts it. */
  readonly nodeOptions?: readonly string[];
  /** The bundle of a server of another release, which runs a role instead of this one's. */
  readonly server?: string;
};

/** Where the sources are. */
export const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));

/** Starts the whole service on free ports unless the environment names others. */
export function startProcess(options: ProcessOptions): ServiceProcess {
  return spawnApp('all-in-one', [], options);
}

/** Starts the process that publishes, has cosigned and anchors, and answers nothing else. */
export function startTrustWorker(options: ProcessOptions): ServiceProcess {
  return spawnApp('trust-worker', [], options);
}

/** Starts the process that works off reconciliations. */
export function startReconciliationWorker(options: ProcessOptions): ServiceProcess {
  return spawnApp('reconciliation-worker', [], options);
}

/** Starts the process that takes OTLP in and works it off. */
export function startOtlpIngester(options: ProcessOptions): ServiceProcess {
  return spawnApp('otlp-ingester', [], options);
}

/** Starts the process of a role. */
export function startRole(role: Role, options: ProcessOptions): ServiceProcess {
  return spawnApp(role, [], options);
}

/** The manager's token, as the first start has left it in a data folder. */
export async function readToken(dataDir: string, file = 'config.yaml'): Promise<string> {
  return /token: (aeu_\S+)/.exec(await readFile(join(dataDir, file), 'utf8'))?.[1] ?? '';
}

/** Starts a witness on free ports. */
export function startWitness(args: readonly string[], options: ProcessOptions): ServiceProcess {
  return spawnApp('witness', args, options);
}

/** What a command came to. */
export type Finished = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

/**
 * Runs an operator's command to its end in this process, which has loaded it: as a process it takes a second of a
 * processor to begin. `runApp` has that process.
 */
export async function runOperatorCommand(
  args: readonly string[],
  { dataDir, environment }: Pick<ProcessOptions, 'dataDir' | 'environment'>,
): Promise<Finished> {
  const stdout: string[] = [];
  const stderr: string[] = [];
  const code = await runOperator(args, {
    environment: { ...SETTINGS, SERVICE_DATA_DIR: dataDir, ...environment },
    out: (line) => void stdout.push(line),
    err(line) {
      // Said on a slow machine alone.
      if (line !== 'answer-evidence: starting PostgreSQL') stderr.push(line);
    },
  });
  return { code, stdout: stdout.join('\n'), stderr: stderr.join('\n') };
}

/** Starts the whole service in this process, which must refuse. Returns the line with which a process would end. */
export async function refuseStart({
  dataDir,
  environment,
}: Pick<ProcessOptions, 'dataDir' | 'environment'>): Promise<string> {
  const unasked = (): void => undefined;
  const options = { stages: ROLES['all-in-one'], firstWorkspace: true };
  let service: RunningService;
  try {
    const config = parseConfig({ ...SETTINGS, SERVICE_DATA_DIR: dataDir, ...environment });
    service = await openService(config, options, unasked, unasked);
  } catch (error) {
    if (error instanceof StartError) return `answer-evidence: ${error.message}`;
    throw error;
  }
  await service.close();
  throw new Error('the service has started');
}

/** Runs an app, such as `operator`, to its end. */
export async function runApp(app: string, args: readonly string[], options: ProcessOptions): Promise<Finished> {
  return finish(spawnApp(app, args, options));
}

/** Starts a command of the operator. */
export function startOperatorCommand(args: readonly string[], options: ProcessOptions): ServiceProcess {
  return spawnApp('operator', args, options);
}

/** Runs a command of the CLI to its end, as the user whose configuration lies in the data folder. */
export async function runCliCommand(args: readonly string[], { dataDir }: ProcessOptions): Promise<Finished> {
  const environment = { SERVICE_CONFIG: join(dataDir, 'config.yaml') };
  return finish(spawnApp('cli', args, { dataDir, environment }));
}

/** Starts a command of the CLI for somebody who has no configuration yet: it goes into this folder. */
export function startCliCommand(args: readonly string[], home: string): ServiceProcess {
  return spawnApp('cli', args, { dataDir: home, environment: { SERVICE_CONFIG: join(home, 'config.yaml') } });
}

/** Starts a monitor of somebody who has no configuration and no token. */
export function startMonitor(args: readonly string[], home: string): ServiceProcess {
  return spawnApp('cli', args, { dataDir: home, environment: { HOME: home } });
}

/** Runs one to its end. */
export async function runMonitor(args: readonly string[], home: string): Promise<Finished> {
  return finish(startMonitor(args, home));
}

/** Waits for the end of a command. */
export async function finish(command: ServiceProcess): Promise<Finished> {
  const { code } = await command.exited;
  return { code, stdout: command.stdout.join('\n'), stderr: command.stderr.join('\n') };
}

/** Settings of every program that tests start. */
const SETTINGS = {
  SERVICE_HTTP_PORT: '0',
  SERVICE_METRICS_PORT: '0',
  SERVICE_RATE_LIMITS: 'off',
  SERVICE_CHECK_REPLIES: 'on',
  // A start takes a second less; e2e/warm-start.test.ts has it on.
  SERVICE_WARM_START: 'off',
  SERVICE_OUTBOUND_ALLOW: '127.0.0.1:*',
  // Folders of tests are on no mount of their own, and some tests run in memory or in a container.
  SERVICE_DATA_DIR_LASTS: 'on',
};

const { NODE_COMPILE_CACHE } = process.env;
/** Compiled sources that every start of a run shares. It changes how soon a program runs, and not what it does. */
const COMPILE_CACHE = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };

function spawnApp(app: string, args: readonly string[], options: ProcessOptions): ServiceProcess {
  const { repository = REPOSITORY } = options;
  // Another user may read a copy of the repository, and nothing of this run.
  const isBundled = options.user === undefined && repository === REPOSITORY;
  const program = isBundled ? bundleOf(app, options.server) : [sourceOf(app, repository)];
  const { nodeOptions = ['--disable-sigusr1'] } = options;
  const node = [nodeOf(repository), ...nodeOptions, '--disable-warning=ExperimentalWarning'];
  const command = [...node, ...program, ...args];
  const [file = '', ...rest] = [...(options.prefix ?? []), ...command];
  const child = spawn(file, rest, {
    cwd: '/',
    env: {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      // A service without it starts itself again with it; once is enough here.
      MALLOC_MMAP_THRESHOLD_: '131072',
      ...COMPILE_CACHE,
      SERVICE_DATA_DIR: options.dataDir,
      ...SETTINGS,
      ...options.environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options.user,
  });
  return watch(child);
}

function sourceOf(app: string, repository: string): string {
  return join(repository, 'apps', app, 'src/main.ts');
}

/** The app as it is deployed, a role as the stages of the one server: it starts in a third of the time. */
function bundleOf(app: string, server?: string): readonly string[] {
  if (server === undefined && process.env[builtVariable] === undefined && process.env[programsVariable] === undefined)
    return [sourceOf(app, REPOSITORY)];
  const stages = Object.entries(ROLES).find(([role]) => role === app)?.[1];
  return stages === undefined ? [bundle(app)] : [server ?? bundle('server'), '--stages', stages.join()];
}

/** The file of an app's bundle; the first who needs it makes it. */
export function bundle(app: string): string {
  const { [builtVariable]: isBuilt, [programsVariable]: folder = '' } = process.env;
  if (isBuilt !== undefined) return join(REPOSITORY, 'apps', app, 'dist/main.js');
  const bundled = join(folder, app);
  if (!existsSync(bundled)) {
    const draft = `${bundled}.${process.pid}`;
    const tool = join(REPOSITORY, 'tools/build/bundle.mjs');
    execFileSync(process.execPath, [tool, 'src/main.ts', join(draft, 'main.js')], {
      cwd: join(REPOSITORY, 'apps', app),
    });
    try {
      renameSync(draft, bundled);
    } catch (error) {
      // Another worker was faster.
      if (!existsSync(bundled)) throw error;
      rmSync(draft, { recursive: true });
    }
  }
  return join(bundled, 'main.js');
}

/** This very Node; the copy's own where it lies in the repository, since the user may not reach the first. */
function nodeOf(repository: string): string {
  const path = relative(REPOSITORY, process.execPath);
  return path.startsWith('..') ? process.execPath : join(repository, path);
}

/** A process from its beginning on. */
export function watch(child: ChildProcess): ServiceProcess {
  const stderr: string[] = [];
  const stdout: string[] = [];
  const exited = new Promise<Exit>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  const ready = new Promise<string>((resolve, reject) => {
    if (child.stderr !== null)
      createInterface({ input: child.stderr }).on('line', (line) => {
        stderr.push(line);
        const url = /^[a-z-]+: ready at (\S+)/.exec(line)?.[1];
        if (url !== undefined) resolve(url);
      });
    if (child.stdout !== null) createInterface({ input: child.stdout }).on('line', (line) => stdout.push(line));
    exited.then(() => reject(new Error(`the service ended before it was ready:\n${stderr.join('\n')}`)), reject);
  });
  // Anyone who waits for the exit only must not be ended by this one.
  ready.catch(() => undefined);
  return {
    pid: child.pid ?? 0,
    stderr,
    stdout,
    exited,
    ready,
    kill: (signal) => void child.kill(signal),
    async stop() {
      child.kill('SIGTERM');
      return exited;
    },
  };
}

/** The pids of every living process of the embedded PostgreSQL of a data folder, by the name that it gives them. */
export function postgresPidsOf(dataDir: string): readonly number[] {
  let path: string;
  try {
    path = realpathSync(join(dataDir, 'postgres'));
  } catch {
    return [];
  }
  const name = `ae-${createHash('sha256').update(path).digest('hex').slice(0, 16)}`;
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => findCommandLine(pid).includes(name));
}

/** The pid of the embedded postmaster, or undefined while there is none. */
export function findPostmaster(dataDir: string): number | undefined {
  return postgresPidsOf(dataDir).find((pid) => findCommandLine(pid).includes('/postgres -D '));
}

function findCommandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
