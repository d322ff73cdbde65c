/** The process that runs an installation: `main.ts` starts it with the folder and the options, apart from itself. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { serveControl, type SplitState } from './control.ts';
import { SplitFailure } from './failure.ts';
import { type Installation, openInstallation, type StartOptions } from './installation.ts';
import { findStartTime } from './part.ts';

const LEFT_BEHIND = 'running.json';
const LOOK_MS = 2_000;

const [folder = '', words = '{}'] = process.argv.slice(2);
const options = JSON.parse(words) as StartOptions;
const say = (line: string): void => void process.stdout.write(`${line}\n`);
process.chdir(folder);

/** When each process began, which never changes; asking for it takes a program that is run. */
const began = new Map<number, string | undefined>();
let installation: Installation | undefined;
const asked = new Promise<void>((resolve) => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve());
  void serveControl(state, resolve).then((end) => process.once('exit', end));
});

try {
  endLeftovers();
  installation = await openInstallation(folder, options, say);
  writePids();
  const writing = setInterval(writePids, LOOK_MS);
  say(`ready at ${installation.url}`);
  await asked;
  clearInterval(writing);
  say('stopping');
  await installation.close();
  rmSync(LEFT_BEHIND, { force: true });
  process.exit(0);
} catch (error) {
  if (!(error instanceof SplitFailure)) throw error;
  say(`cannot start: ${error.message}`);
  process.exit(1);
}

function state(): SplitState {
  return {
    pid: process.pid,
    isReady: installation !== undefined,
    url: installation?.url ?? '',
    parts: installation?.parts() ?? [],
  };
}

function beganAt(pid: number): string | undefined {
  if (!began.has(pid)) began.set(pid, findStartTime(pid));
  return began.get(pid);
}

/** So that the next start finds what this one leaves behind if it is killed. */
function writePids(): void {
  const pids = (installation?.parts() ?? []).flatMap(({ name, pid }) =>
    pid === undefined || pid === process.pid || name === 'postgres' ? [] : [{ pid, since: beganAt(pid) }],
  );
  writeFileSync(LEFT_BEHIND, JSON.stringify(pids), { mode: 0o600 });
}

/** Ends the processes of a supervisor that was killed: only those that began when it wrote them down. */
function endLeftovers(): void {
  let left: { pid: number; since?: string }[];
  try {
    left = JSON.parse(readFileSync(LEFT_BEHIND, 'utf8')) as typeof left;
  } catch {
    return;
  }
  for (const { pid, since } of left)
    if (since !== undefined && findStartTime(pid) === since) {
      say(`ending process ${pid}, which an earlier start left behind`);
      process.kill(pid, 'SIGTERM');
    }
}
