import { afterEach, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { createTestScope } from './fixtures/test-scope.ts';
import { openParentLock, type ParentLock } from './parent-lock.ts';
import { findProcessStamp } from './process-table.ts';

const scope = createTestScope();
afterEach(() => scope.close());

/** Attempts at the same time; those that were refused for another reason fail the test. */
async function race(dir: string, takers: number): Promise<readonly ParentLock[]> {
  const results = await Promise.allSettled(Array.from({ length: takers }, () => openParentLock(dir)));
  return results.flatMap((result) => {
    if (result.status === 'fulfilled') return [result.value];
    expect(result.reason).toMatchObject({ code: 'already_running' });
    return [];
  });
}

describe('openParentLock', () => {
  it.each([
    ['nothing', undefined],
    ['the lock of a process that has ended', () => `${spawnSync('true').pid} boot/123\n`],
    ['the lock of an earlier process with a pid in use', () => `${process.pid} boot/123\n`],
    ['a lock cut short by a full disk', () => ''],
    ['a released lock', () => 'released\n'],
  ])('goes to exactly one of many takers who find %s', async (_, text) => {
    const dir = await scope.openDir();
    if (text !== undefined) await writeFile(join(dir, 'parent-7.lock'), text());
    for (let round = 0; round < 20; round += 1) {
      const winners = await race(dir, 8);
      expect(winners).toHaveLength(1);
      await winners[0]?.close();
    }
    expect(await readdir(dir)).toHaveLength(1);
  });

  it('is held by one at a time when takers come and go', async () => {
    const dir = await scope.openDir();
    let holders = 0;
    let taken = 0;
    const comeAndGo = async (): Promise<void> => {
      for (let attempt = 0; attempt < 50; attempt += 1) {
        for (const lock of await race(dir, 1)) {
          holders += 1;
          taken += 1;
          expect(holders).toBe(1);
          await setImmediate();
          holders -= 1;
          await lock.close();
        }
      }
    };
    await Promise.all(Array.from({ length: 8 }, comeAndGo));
    expect(taken).toBeGreaterThan(20);
  });

  it('is refused to a slow taker whose turn has passed by the time it is taken', async () => {
    const dir = await scope.openDir();
    const inDir = (generation: number): string => join(dir, `parent-${generation}.lock`);
    // A pipe as the lock file stops the taker between its look at the directory and its attempt.
    spawnSync('mkfifo', [inDir(1)]);
    const slow = openParentLock(dir);
    const pipe = await open(inDir(1), 'w');
    // Meanwhile another has taken and released 2, and a third has taken 3 and removed what was below.
    await writeFile(inDir(3), `${process.pid} ${findProcessStamp(process.pid)}\n`);
    await rm(inDir(1));
    await pipe.writeFile('released\n');
    await pipe.close();
    await expect(slow).rejects.toMatchObject({ code: 'already_running' });
    expect(await readdir(dir)).toEqual(['parent-3.lock']);
  });

  it('is refused while its holder lives, and names the holder', async () => {
    const dir = await scope.openDir();
    const lock = await openParentLock(dir);
    await expect(openParentLock(dir)).rejects.toMatchObject({
      code: 'already_running',
      message: expect.stringContaining(String(process.pid)),
    });
    const [name] = await readdir(dir);
    expect(await readFile(join(dir, name ?? ''), 'utf8')).toBe(`${process.pid} ${findProcessStamp(process.pid)}\n`);
    await lock.close();
    await (await openParentLock(dir)).close();
  });
});
