import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Runs a program to its end with extra environment variables; returns its output. Rejects unless it exits with 0. */
export async function runProgram(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { stdout } = await run(program, args, {
    env: { ...process.env, ...environment },
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout;
}

/** The same for a TypeScript program of this folder, on this Node. */
export async function runNodeProgram(
  url: URL,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  return runProgram(process.execPath, ['--disable-warning=ExperimentalWarning', url.pathname, ...args], environment);
}
