import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { untilAnswered } from '@answer-evidence/testing';
import { SplitFailure } from './failure.ts';
import { logFileOf, type PartState, readProcess } from './state.ts';

/** A program that runs as long as the installation does. */
export type Part = {
  state(): PartState;
  /** Resolves when it is ready; rejects with what to do when it ends before. */
  readonly ready: Promise<string>;
  /** How it ended. */
  readonly ended: Promise<string>;
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
  /** Its address where no line says it, and what resolves once it answers there. */
  readonly server?: { readonly url: string; readonly ask: () => Promise<unknown> };
};

/** Starts a program whose output goes to `logs/NAME.log` in the folder, after what was there. */
export function startPart(options: PartOptions): Part {
  const { name, folder } = options;
  const [program, ...args] = options.command;
  const log = createWriteStream(logFileOf(folder, name), { flags: 'a', mode: 0o600 });
  log.write(`--- started ${new Date().toISOString()}\n`);
  const child = spawn(program, args, { env: options.environment, cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const since = child.pid === undefined ? undefined : readProcess(child.pid, 'lstart');
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
    const { server } = options;
    if (server !== undefined) untilAnswered(name, server.ask).then(() => isReady(server.url), reject);
  });
  ready.catch(() => undefined);
  return {
    state: () => ({
      name,
      state,
      at,
      ...(state === 'ended' ? { pid: undefined } : { pid: child.pid, since, metrics }),
    }),
    ready,
    ended,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      await new Promise<void>((resolve) => log.end(resolve));
    },
  };
}
