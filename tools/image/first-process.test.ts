import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { isInstalled } from '@answer-evidence/testing';
import { until } from '../scenery/service-process.ts';
import { formatStart } from './format-start.ts';

const canRun = process.env.REQUIRE_SERVICES === '1' || (process.getuid?.() === 0 && isInstalled('unshare'));
/** Reads its program for a second, says so, and then ends by 7 when it is asked to. */
const PROGRAM = `const from = Date.now(); while (Date.now() - from < 1000);
process.on('SIGTERM', () => process.exit(7)); setInterval(() => {}, 1000); console.log('ready')`;
const NODE = `${process.execPath} -e "$PROGRAM"`;
const DEADLINE_MS = 30_000;

let unshare: ChildProcess;
afterEach(() => void unshare.kill('SIGKILL'));

/** Runs a script as the first process of a namespace; the process, as this one sees it, its words and its status. */
async function runFirst(script: string) {
  const spaces = ['--pid', '--fork', '--kill-child', '--mount-proc'];
  unshare = spawn('unshare', [...spaces, 'sh', '-c', script], {
    env: { ...process.env, PROGRAM },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  unshare.stdout?.on('data', (bytes: Buffer) => void (said += bytes.toString()));
  const ended = new Promise<number | null>((resolve) => void unshare.once('close', resolve));
  const children = `/proc/${unshare.pid}/task/${unshare.pid}/children`;
  let first = 0;
  await until('the first process', async () => (first = Number(await readFile(children, 'utf8'))) > 0);
  // The shell has its handlers a moment after its start.
  await until('the shell', async () => !(await readFile(`/proc/${first}/comm`, 'utf8')).includes('unshare'));
  return { first, ended, said: () => said };
}

(canRun ? describe : describe.skip)('the first process of a container', () => {
  it(
    'ends when it is asked to before it has read its program',
    async () => {
      const { first, ended, said } = await runFirst(`${formatStart(NODE)}`);
      await until('the program', async () => (await readFile(`/proc/${first}/task/${first}/children`, 'utf8')) !== '');
      process.kill(first, 'SIGTERM');
      expect([await ended, said()]).toEqual([143, '']);
    },
    DEADLINE_MS,
  );

  it(
    'passes what it is asked on to a program that it has read, and ends as that does',
    async () => {
      const { first, ended, said } = await runFirst(formatStart(NODE));
      await until('the program', () => said() === 'ready\n');
      process.kill(first, 'SIGTERM');
      expect(await ended).toBe(7);
    },
    DEADLINE_MS,
  );

  it(
    'would not be heard as Node itself',
    async () => {
      const { first, said } = await runFirst(`exec ${NODE}`);
      process.kill(first, 'SIGTERM');
      await until('the program', () => said() === 'ready\n');
    },
    DEADLINE_MS,
  );
});
