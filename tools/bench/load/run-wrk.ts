import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { runProgram } from '../machine/run-program.ts';
import { createBodyTemplate, KEY_PLACEHOLDER } from '../service/create-body.ts';

/** Connections that are kept busy. */
export const CONNECTIONS = 64;

const script = fileURLToPath(new URL('create.lua', import.meta.url));

const outcome = z.object({
  requests: z.int().positive(),
  durationMicros: z.int().positive(),
  refused: z.int(),
  failed: z.int(),
});

/** What wrk counted. */
type WrkOutcome = { readonly requests: number; readonly perSecond: number };

/** Sends creates on so many connections as fast as responses come. Rejects for any status but 201, or none at all. */
export async function runWrk(
  wrk: string,
  url: string,
  token: string,
  prefix: string,
  seconds: number,
  connections = CONNECTIONS,
): Promise<WrkOutcome> {
  return runScript(wrk, { url, connections, seconds, script, environment: { BENCH_TOKEN: token } }, [
    createBodyTemplate(),
    KEY_PLACEHOLDER,
    prefix,
  ]);
}

/** What wrk is to do. The script prints what came of it as `create.lua` does. */
type WrkLoad = {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  readonly script: string;
  readonly environment?: Readonly<Record<string, string>>;
};

/** Runs wrk with a script and its arguments. Rejects if a request was refused or not answered. */
export async function runScript(
  wrk: string,
  { url, connections, seconds, script: file, environment = {} }: WrkLoad,
  args: readonly string[],
): Promise<WrkOutcome> {
  const stdout = await runProgram(
    wrk,
    [
      ...['--threads', '1', '--connections', String(connections), '--duration', `${seconds}s`, '--timeout', '10s'],
      ...['--script', file, url, '--', ...args],
    ],
    environment,
  );
  const line = /^BENCH (.*)$/m.exec(stdout)?.[1];
  if (line === undefined) throw new Error(`wrk has not reported:\n${stdout}`);
  const { requests, durationMicros, refused, failed } = outcome.parse(JSON.parse(line));
  if (refused > 0 || failed > 0)
    throw new Error(`of ${requests} requests ${refused} were refused and ${failed} not answered at all`);
  return { requests, perSecond: requests / (durationMicros / 1e6) };
}
