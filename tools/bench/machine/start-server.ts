import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { V8_FLAGS } from '@answer-evidence/runtime/v8-flags';

/** A server in a process of its own. */
export type ServerProcess = {
  readonly baseUrl: string;
  readonly pid: number;
  /** SIGTERM, and resolves when it has ended. */
  stop(): Promise<void>;
};

/** Starts a TypeScript server on this Node; it says `ready at <url>` on standard error when it listens. */
export async function startServer(
  url: URL,
  environment: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [...V8_FLAGS, '--disable-warning=ExperimentalWarning', url.pathname], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
    // A Ctrl-C is for the benchmark, which then stops its servers in order.
    detached: true,
  });
  // Whatever ends this process, nothing goes on that it has started.
  const kill = () => void child.kill('SIGTERM');
  process.once('exit', kill);
  child.once('close', () => process.off('exit', kill));
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const lines: string[] = [];
  const baseUrl = await new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    void ended.then(() => reject(new Error(`${url.pathname} ended before it was ready:\n${lines.join('\n')}`)));
    createInterface({ input: child.stderr }).on('line', (line) => {
      const address = /ready at (\S+)/.exec(line)?.[1];
      if (address !== undefined) resolve(address);
      else if (lines.length < 100) lines.push(line);
    });
  });
  return {
    baseUrl,
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
