import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Runs the system's `openssl` in a folder and returns what it printed. Rejects when it fails. */
export async function runOpenssl(directory: string, args: readonly string[]): Promise<string> {
  const { stdout } = await run('openssl', [...args], { cwd: directory, timeout: 30_000 });
  return stdout;
}
