/** A service with 60 days of made-up data: `npm run demo`. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { demoState, fillDemo, settingsOf } from './fill.ts';

const USAGE = `usage: npm run demo [-- OPTIONS]
    Starts a service with made-up answers of the last 60 days, to look at. It is filled at the first start.
options:
  --data FOLDER  where everything is kept (default .data/demo)
  --days NUMBER  how many days there are, from 1 to 365 (default 60)
  --port NUMBER  where the service listens (default 8080)
  --fill-only    fill the folder and end`;

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Is in the folder while it is filled: what is half filled is begun anew. */
const UNFINISHED = 'demo-unfinished';
const STATE = 'demo.json';
const DAYS_MAX = 365;
const NODE = ['--disable-sigusr1', '--disable-warning=ExperimentalWarning'];

process.exitCode = await run(process.argv.slice(2));

async function run(args: readonly string[]): Promise<number> {
  const text = { type: 'string' } as const;
  let values;
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: {
        ...{ data: text, days: text, port: text },
        'fill-only': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }));
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : ''}\n${USAGE}`);
  }
  if (values.help === true) {
    console.log(USAGE);
    return 0;
  }
  const days = Number(values.days ?? 60);
  const port = Number(values.port ?? 8_080);
  if (!Number.isInteger(days) || days < 1 || days > DAYS_MAX) return fail(`--days must be from 1 to ${DAYS_MAX}`);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return fail('--port must be a number from 1 to 65535');
  const folder = resolve(values.data ?? join(ROOT, '.data/demo'));
  const refusal = await fillOnce(folder, days, port);
  if (refusal !== undefined) return fail(refusal);
  return values['fill-only'] === true ? 0 : start(folder, port);
}

/** Fills the folder if that was not done; what speaks against it, in a sentence. */
async function fillOnce(folder: string, days: number, port: number): Promise<string | undefined> {
  if (existsSync(join(folder, STATE))) return undefined;
  if (existsSync(join(folder, UNFINISHED))) await rm(folder, { recursive: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0)
    return `${folder} has files that are of no demonstration; name an empty folder with --data`;
  await mkdir(join(folder, UNFINISHED));
  const began = performance.now();
  const { records } = await fillDemo(folder, days, port, (line) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${line} `);
  });
  await rm(join(folder, UNFINISHED), { recursive: true });
  const seconds = Math.round((performance.now() - began) / 1_000);
  console.error(`${process.stderr.isTTY ? '\r' : ''}filled ${folder} with ${records} made-up answers in ${seconds} s`);
  return undefined;
}

/** Runs the service and its witness until one of them ends, and returns the service's exit code. */
async function start(folder: string, port: number): Promise<number> {
  const state = demoState.parse(JSON.parse(await readFile(join(folder, STATE), 'utf8')));
  await ended(
    spawn(process.execPath, [...NODE, 'tools/console/main.ts', '--if-needed'], { cwd: ROOT, stdio: 'inherit' }),
  );
  const witness = spawn(
    process.execPath,
    [...NODE, 'apps/witness/src/main.ts', '--log', state.witnessedLog, '--port', String(state.witnessPort)],
    {
      cwd: ROOT,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, ...settingsOf(folder), SERVICE_METRICS_PORT: '0' },
    },
  );
  const said: string[] = [];
  witness.stderr.setEncoding('utf8').on('data', (text: string) => said.push(text));
  // Its start is of no interest, unless it fails.
  witness.once('exit', (code) => {
    if (code !== 0) console.error(`the witness has ended:\n${said.join('')}`);
  });
  const service = spawn(process.execPath, [...NODE, 'apps/all-in-one/src/main.ts'], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, ...settingsOf(folder), SERVICE_HTTP_PORT: String(port), DATABASE_URL: '' },
  });
  console.log(`all data are made up; sign in at http://127.0.0.1:${port}/console/ to the workspace "demo"`);
  console.log(`as ${state.username} with the password ${state.password}`);
  // The terminal signals all of them; who asks this process alone asks them too.
  const pass = (signal: NodeJS.Signals) => {
    service.kill(signal);
  };
  process.on('SIGINT', pass);
  process.on('SIGTERM', pass);
  const code = await ended(service);
  witness.kill('SIGTERM');
  await ended(witness);
  return code;
}

function ended(child: ReturnType<typeof spawn>): Promise<number> {
  return new Promise((done, refuse) => {
    child.once('error', refuse);
    child.once('exit', (code) => {
      done(code ?? 1);
    });
  });
}

function fail(sentence: string): number {
  console.error(sentence);
  return 1;
}
