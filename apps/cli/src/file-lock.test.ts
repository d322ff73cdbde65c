import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { takeFileLock } from './file-lock.ts';
import { nodeFiles } from './process-io.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'answer-evidence-lock-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a lock on a file', () => {
  it('is held by one process, and is free when that was killed', async () => {
    const path = join(folder, 'state.json.lock');
    const holder = spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `import { takeFileLock } from ${JSON.stringify(join(import.meta.dirname, 'file-lock.ts'))};
         const lock = await takeFileLock(process.argv[1]);
         console.log(lock === undefined ? 'taken' : 'held');
         setInterval(() => lock, 1000);`,
        path,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    try {
      const [line] = (await once(holder.stdout, 'data')) as [Buffer];
      expect(line.toString()).toBe('held\n');
      expect(await takeFileLock(path)).toBeUndefined();
    } finally {
      holder.kill('SIGKILL');
      await once(holder, 'exit');
    }
    const lock = await takeFileLock(path);
    expect(lock).toBeDefined();
    lock?.release();
  });
});

describe('a file that is written durably', () => {
  it('takes the place of the old one, and leaves nothing beside it', async () => {
    const path = join(folder, 'made/state.json');
    await nodeFiles.writeDurably(path, 'old');
    await nodeFiles.writeDurably(path, 'new');
    expect(await readFile(path, 'utf8')).toBe('new');
    expect(await nodeFiles.list(join(folder, 'made'))).toEqual(['state.json']);
    await expect(nodeFiles.writeDurably(join(path, 'below'), 'x')).rejects.toThrow();
    expect(await readdir(join(folder, 'made'))).toEqual(['state.json']);
  });
});
