import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTogether } from './open-together.ts';
import { untilAnswered } from './until.ts';

/** A program that serves until it is ended. */
type ServingProgram = {
  /** Writes its files into the folder; the command that starts it. */
  readonly prepare: (folder: string) => Promise<readonly [string, ...(readonly string[])]>;
  /** Resolves once it answers. */
  readonly ask: () => Promise<unknown>;
  /** What ends it. */
  readonly signal: 'SIGKILL' | 'SIGTERM';
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
};

/** Starts a program in a temporary folder of its own, and waits until it answers. Anyone who started it closes it. */
export function startProgram(name: string, { prepare, ask, signal, user }: ServingProgram) {
  return openTogether(async (keep) => {
    const folder = await mkdtemp(join(tmpdir(), `answer-evidence-${name}-`));
    keep(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }));
    const [program, ...args] = await prepare(folder);
    const child = spawn(program, args, { stdio: 'ignore', env: { ...process.env, HOME: folder }, ...user });
    const ended = new Promise<string>((resolve) => {
      child.once('error', ({ message }) => resolve(message)).once('exit', (code) => resolve(`exit code ${code}`));
    });
    keep(async () => {
      child.kill(signal);
      await ended;
    });
    const failed = ended.then((how) => Promise.reject(new Error(`${program} ended: ${how}`)));
    // Anyone who closes it ends it.
    failed.catch(() => undefined);
    await Promise.race([untilAnswered(name, ask), failed]);
    return {};
  });
}
