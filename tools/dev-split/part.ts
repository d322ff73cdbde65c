import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { PartState } from './control.ts';
import { SplitFailure } from './failure.ts';

/** A program that runs as long as the installation does. */
export type Part = {
  state(): PartState;
  /** Resolves when it is ready; rejects with what to do when it ends before. */
  readonly ready: Promise<string>;
  /** SIGTERM, and its end. */
  stop(): Promise<void>;
};

/** How a part is started, and how it is known to be ready. */
type PartOptions = {
  readonly name: string;
  readonly command: readonly [string, ...(readonly string[])];
  readonly environment: NodeJS.ProcessEnv;
  readonly folder: string;
  /** Its address, from a line that it writes, or undefined for other lines. */
  readonly addressIn?: (line: string) => string | undefined;
  /** The address of its metrics, from a line that it writes before that one. */
  readonly metricsIn?: (line: string) => string | undefined;
  /** Asked again and again where no line says it: resolves with the address once it answers. */
  readonly look?: () => Promise<string>;
};

const LOOK_MS = 100;
const LOOKS_MAX = 300;

/** Starts a program whose output goes to `logs/NAME.log` in the folder, after what was there. */
export function startPart(options: PartOptions): Part {
  const { name, folder } = options;
  const [program, ...args] = options.command;
  const log = createWriteStream(logFileOf(folder, name), { flags: 'a', mode: 0o600 });
  log.write(`--- started ${new Date().toISOString()}\n`);
  const child = spawn(program, args, { env: options.environment, cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let state: PartState['state'] = 'starting';
  let at = '';
  let metrics: string | undefined;
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  const ready = new Promise<string>((resolve, reject) => {
    const isReady = (address: string): void => {
      at = address;
      state = 'running';
      resolve(address);
    };
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on('line', (line) => {
        log.write(`${line}\n`);
        metrics ??= options.metricsIn?.(line);
        const address = options.addressIn?.(line);
        if (address !== undefined) isReady(address);
      });
    void ended.then((how) => {
      state = 'ended';
      at = how;
      log.write(`--- ended: ${how}\n`);
      reject(
        new SplitFailure(
          `${name} ended before it was ready (${how}); its last lines are in ${logFileOf(folder, name)}`,
        ),
      );
    });
    if (options.look !== undefined) untilSeen(options.look, child).then(isReady, reject);
  });
  ready.catch(() => undefined);
  return {
    state: () => ({
      name,
      state,
      at,
      ...(state === 'ended' ? { pid: undefined } : { pid: child.pid, metrics }),
    }),
    ready,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      await new Promise<void>((resolve) => log.end(resolve));
    },
  };
}

/** Where a part's lines are. */
export function logFileOf(folder: string, name: string): string {
  return join(folder, 'logs', `${name}.log`);
}

async function untilSeen(look: () => Promise<string>, child: ChildProcess): Promise<string> {
  for (let looks = 0; ; looks++) {
    try {
      return await look();
    } catch (error) {
      if (looks === LOOKS_MAX || child.exitCode !== null) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** When a process began, which tells it from a later one with its pid; undefined when there is none. */
export function findStartTime(pid: number): string | undefined {
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
}
