import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { openFakeService } from './testing/fake-service.ts';

/** How a process ended that had recorded 20 answers. */
async function runToEnd(url: string, ...args: readonly string[]) {
  const program = join(import.meta.dirname, 'testing/record-and-end.ts');
  const child = spawn(process.execPath, ['--no-warnings', program, url, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
    child.on('close', (exit, by) => resolve([exit, by]));
  });
  return { code, signal, stderr };
}

it.each([
  ['ends by itself', [], { code: 0, signal: null }],
  ['is ended by a signal', ['signal'], { code: null, signal: 'SIGTERM' }],
  ['handles the signal itself', ['own-handler'], { code: 7, signal: null }],
])(
  'a process that %s sends what it holds, and ends as it would have',
  async (_, args, end) => {
    const service = await openFakeService();
    expect(await runToEnd(service.url, ...args)).toMatchObject({ ...end, stderr: '' });
    expect(service.records.size).toBe(20);
    await service.close();
  },
  60_000,
);

it('a process whose service is unavailable ends all the same, and says what it lost', async () => {
  const { code, stderr } = await runToEnd('http://127.0.0.1:9');
  expect(code).toBe(0);
  expect(stderr).toContain('20 answers were not sent before the process ended');
}, 60_000);
