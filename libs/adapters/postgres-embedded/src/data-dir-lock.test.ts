import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type DataDirLock, openDataDirLock } from './data-dir-lock.ts';
import { createTestScope } from './fixtures/test-scope.ts';

const scope = createTestScope();
const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await scope.close();
});

const script = fileURLToPath(new URL('./fixtures/hold-lock.ts', import.meta.url));

/** What a second container has of its own; a user namespace gives an ordinary user the right to make the others. */
const asRoot = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user'];
const namespaces: readonly (readonly [string, readonly string[]])[] = [
  ['the same namespaces', []],
  ['another PID namespace', ['unshare', ...asRoot, '--pid', '--fork', '--mount-proc']],
  [
    'other PID, IPC and mount namespaces',
    ['unshare', ...asRoot, '--pid', '--ipc', '--mount', '--fork', '--kill-child', '--mount-proc'],
  ],
];

/** A process that takes the lock, says `held` or the code of the refusal, and then stays. */
async function startTaker(dir: string, prefix: readonly string[]) {
  const [program = '', ...args] = [...prefix, process.execPath, '--no-warnings', script, dir];
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, said: said.toString().trim() };
}

const canUnshare = spawnSync('unshare', [...asRoot, '--pid', '--ipc', '--fork', '--mount-proc', 'true']).status === 0;

describe.each(namespaces)('the lock of a data directory, against a process in %s', (_, prefix) => {
  const test = prefix.length > 0 && !canUnshare && process.env['REQUIRE_SERVICES'] !== '1' ? it.skip : it;

  test('is refused, names the holder, changes no file, and is free as soon as the holder is killed', async () => {
    const dir = await scope.openDir();
    const holder = await startTaker(dir, prefix);
    expect(holder.said).toBe('held');
    const before = await listFiles(dir);
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await expect(openDataDirLock(dir)).rejects.toMatchObject({
        code: 'already_running',
        message: expect.stringMatching(/belongs to the running process \d+/),
      });
    }
    expect(await listFiles(dir)).toEqual(before);
    // With `--kill-child` the process in the namespaces dies after the one that made them.
    holder.child.kill('SIGKILL');
    const lock = await untilFree(dir);
    expect((await startTaker(dir, prefix)).said).toBe('already_running');
    lock.close();
    expect((await startTaker(dir, prefix)).said).toBe('held');
  });
});

describe('the lock of a data directory', () => {
  it('goes to exactly one of many takers in one process, in every round', async () => {
    const dir = await scope.openDir();
    for (let round = 0; round < 20; round += 1) {
      const results = await Promise.allSettled(Array.from({ length: 8 }, () => openDataDirLock(dir)));
      const held = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
      expect(held).toHaveLength(1);
      for (const lock of held) lock.close();
    }
  });

  it('says so of a holder in another container, and is not confused by a damaged file about it', async () => {
    const dir = await scope.openDir();
    const lock = await openDataDirLock(dir);
    const file = join(dir, 'holder.json');
    const self = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
    await writeFile(file, JSON.stringify({ ...self, pid: 7, host: 'blue', pid_namespace: 'pid:[1]' }));
    await expect(openDataDirLock(dir)).rejects.toThrow('the running process 7 of another container or machine (blue)');
    await writeFile(file, '{"pid"');
    await expect(openDataDirLock(dir)).rejects.toThrow('belongs to another running process');
    lock.close();
    expect(await readdir(dir)).toEqual(['lock']);
  });
});

async function untilFree(dir: string): Promise<DataDirLock> {
  const deadline = performance.now() + 10_000;
  for (;;) {
    try {
      return await openDataDirLock(dir);
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await delay(10);
    }
  }
}

async function listFiles(dir: string): Promise<readonly string[]> {
  const names = (await readdir(dir)).sort();
  return Promise.all(names.map(async (name) => `${name} ${await readFile(join(dir, name), 'utf8')}`));
}
