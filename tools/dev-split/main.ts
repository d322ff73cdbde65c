/** The split form on this machine, for development: `npm run dev:split -- start|stop|status|logs`. */
import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { findRunning, logFileOf, readState, type SplitState } from './state.ts';

const USAGE = `usage: npm run dev:split [-- COMMAND] [-- OPTIONS]
  start          start PostgreSQL, Redis, MinIO, the five processes and a proxy; the default
  stop           stop them; all data stays
  status         what runs where
  logs [PART]    the last lines of one part, or of all; --lines NUMBER (default 20)
options:
  --data FOLDER  where everything is kept (default .data/split)
  --port NUMBER  port of the proxy, chosen at the first start (default 8080)
  --objects folder  keep evidence in files even if MinIO is installed; chosen at the first start
  --program FILE  run a built server, such as apps/server/dist/main.js, and not the sources`;

const START_MS = 120_000;
const STOP_MS = 60_000;
const LOOK_MS = 100;

process.exitCode = await run(process.argv.slice(2));

async function run(args: readonly string[]): Promise<number> {
  const option = { type: 'string' } as const;
  let parsed;
  try {
    parsed = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        data: option,
        port: option,
        objects: option,
        lines: option,
        program: option,
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : ''}\n${USAGE}`);
  }
  const { positionals, values } = parsed;
  const [command = 'start', part] = positionals;
  const port = values.port === undefined ? undefined : Number(values.port);
  if (values.help === true) return tell(USAGE);
  if (port !== undefined && !(Number.isInteger(port) && port > 0 && port < 65_536))
    return fail('--port must be a number from 1 to 65535');
  if (values.objects !== undefined && values.objects !== 'folder') return fail('--objects can only be: folder');
  const program = values.program === undefined ? undefined : resolve(values.program);
  if (program !== undefined && !existsSync(program)) return fail(`${program} does not exist; npm run build makes it`);
  const named = resolve(values.data ?? fileURLToPath(new URL('../../.data/split', import.meta.url)));
  mkdirSync(join(named, 'logs'), { recursive: true, mode: 0o700 });
  // One folder has one name in the command of its supervisor.
  const folder = realpathSync(named);
  if (command === 'start') return start(folder, { port, objects: values.objects, program });
  if (command === 'stop') return stop(folder);
  if (command === 'status') return status(folder);
  if (command === 'logs') return showLogs(folder, part, Number(values.lines ?? 20));
  return fail(`there is no command "${command}"\n${USAGE}`);
}

async function start(folder: string, options: object): Promise<number> {
  const before = findRunning(folder);
  if (before !== undefined) {
    tell(`runs already; stop it first to start changed code`);
    return showState(before);
  }
  const log = openSync(logFileOf(folder, 'supervisor'), 'w', 0o600);
  const program = fileURLToPath(new URL('supervise.ts', import.meta.url));
  const node = ['--disable-warning=ExperimentalWarning', program, folder, JSON.stringify(options)];
  const child = spawn(process.execPath, node, { cwd: folder, detached: true, stdio: ['ignore', log, log] });
  closeSync(log);
  let hasEnded = false;
  child.once('exit', () => (hasEnded = true));
  const deadline = performance.now() + START_MS;
  while (!hasEnded && performance.now() < deadline) {
    const state = readState(folder);
    if (state?.isReady === true && state.pid === child.pid) {
      child.unref();
      tell(readLog(folder, 'supervisor', 30));
      showState(state);
      tell(`\nexport SERVICE_CONFIG=${join(folder, 'config.yaml')}\nnpm run dev:split -- stop`);
      return 0;
    }
    await new Promise((after) => setTimeout(after, LOOK_MS));
  }
  if (!hasEnded) child.kill('SIGTERM');
  return fail(`it did not start:\n${readLog(folder, 'supervisor', 30)}`);
}

async function stop(folder: string): Promise<number> {
  const before = findRunning(folder);
  if (before === undefined) return tell('does not run; nothing to stop');
  process.kill(before.pid, 'SIGTERM');
  const deadline = performance.now() + STOP_MS;
  while (findRunning(folder) !== undefined) {
    if (performance.now() > deadline)
      return fail(`still stopping after ${STOP_MS / 1_000} s; see npm run dev:split -- logs supervisor`);
    await new Promise((after) => setTimeout(after, LOOK_MS));
  }
  return tell('stopped; all data stays');
}

function status(folder: string): number {
  const state = findRunning(folder);
  if (state !== undefined) return showState(state);
  tell('does not run; npm run dev:split starts it');
  return 3;
}

function showState({ isReady, parts, url }: SplitState): number {
  tell(isReady ? `ready at ${url}` : 'starting');
  const width = Math.max(0, ...parts.map(({ name }) => name.length));
  for (const { at, metrics, name, pid, state } of parts) {
    const told = metrics === undefined ? '' : `  metrics ${metrics}`;
    tell(`${name.padEnd(width)}  ${state.padEnd(8)}  ${pid ?? '-'}  ${at}${told}`);
  }
  const ended = parts.filter(({ state }) => state === 'ended').map(({ name }) => name);
  if (ended.length === 0) return 0;
  return fail(`${ended.join(', ')} ended; see npm run dev:split -- logs ${ended[0]}, then stop and start again`);
}

function showLogs(folder: string, part: string | undefined, lines: number): number {
  const known = readdirSync(join(folder, 'logs')).map((file) => file.replace(/\.log$/, ''));
  if (known.length === 0) return fail('there are no logs: nothing has been started in this folder');
  if (part !== undefined && !known.includes(part))
    return fail(`there is no log of "${part}", only: ${known.join(', ')}`);
  for (const name of part === undefined ? known : [part]) tell(`== ${name}\n${readLog(folder, name, lines)}`);
  return 0;
}

function readLog(folder: string, name: string, lines: number): string {
  return readFileSync(logFileOf(folder, name), 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
}

function tell(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}

function fail(text: string): number {
  process.stderr.write(`${text}\n`);
  return 1;
}
