import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Runs a program to its end; what it printed. Throws what it had to say if it fails. */
export async function run(
  file: string,
  args: readonly string[],
  { cwd, env = {} }: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(file, [...args], {
      ...(cwd === undefined ? {} : { cwd }),
      env: { ...process.env, ...env },
      maxBuffer: 2 ** 26,
    });
    return stdout;
  } catch (error) {
    const { message, stdout = '', stderr = '' } = error as Error & { stdout?: string; stderr?: string };
    throw new Error(`${file} ${args.join(' ')}: ${`${stdout}\n${stderr}`.trim() || message}`, { cause: error });
  }
}
