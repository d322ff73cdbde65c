import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const VARIABLE = 'MALLOC_MMAP_THRESHOLD_';
const describeOnLinux = process.platform === 'linux' && 'execve' in process ? describe : describe.skip;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'answer-evidence-malloc-'));
  const url = new URL('fix-malloc-threshold.ts', import.meta.url);
  await writeFile(
    join(folder, 'program.mjs'),
    `import { fixMallocThreshold } from '${url.href}';
    console.error(process.pid);
    fixMallocThreshold();
    console.log(JSON.stringify([process.pid, process.env.${VARIABLE}, process.argv.slice(2), process.execArgv]));`,
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function run(more: NodeJS.ProcessEnv): { readonly pids: readonly string[]; readonly said: unknown } {
  const { [VARIABLE]: _set, ...env } = process.env;
  const args = ['--no-warnings', '--stack-size=900', join(folder, 'program.mjs'), 'one', '--two=3'];
  const { stdout, stderr, pid } = spawnSync(process.execPath, args, { env: { ...env, ...more }, encoding: 'utf8' });
  const said = JSON.parse(stdout) as unknown[];
  expect(said[0]).toBe(pid);
  return { pids: stderr.trim().split('\n'), said: said.slice(1) };
}

describeOnLinux('the threshold of malloc', () => {
  it('is fixed by one more start in the same process, with everything it was started with', () => {
    const { pids, said } = run({});
    expect([pids.length, new Set(pids).size]).toEqual([2, 1]);
    expect(said).toEqual(['131072', ['one', '--two=3'], ['--no-warnings', '--stack-size=900']]);
  });

  it('is left as somebody has set it', () => {
    const { pids, said } = run({ [VARIABLE]: '65536' });
    expect([pids.length, said]).toEqual([1, ['65536', ['one', '--two=3'], ['--no-warnings', '--stack-size=900']]]);
  });
});
