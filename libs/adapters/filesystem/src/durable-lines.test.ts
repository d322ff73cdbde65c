import { spawnSync } from 'node:child_process';
import { appendFile, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { createDurableLines } from './durable-lines.ts';
import { withDirectory } from './fixtures/with-directory.ts';

describe('durable lines', () => {
  it('are read as they were added, and only their owner can read the file', async () => {
    await withDirectory(async (directory) => {
      const path = join(directory, 'lines');
      expect(await createDurableLines(path).read()).toBeUndefined();
      await createDurableLines(path).append(['one', 'two']);
      await createDurableLines(path).append(['three']);
      expect(await createDurableLines(path).read()).toEqual(['one', 'two', 'three']);
      expect((await stat(path)).mode & 0o777).toBe(0o600);
    });
  });

  it('do not have what a crash has cut off, before and after the next line', async () => {
    await withDirectory(async (directory) => {
      const path = join(directory, 'lines');
      const lines = createDurableLines(path);
      await lines.append(['{"whole":1}']);
      await appendFile(path, '{"cut o');
      expect(await lines.read()).toEqual(['{"whole":1}']);
      await lines.append(['{"next":2}']);
      expect(await lines.read()).toEqual(['{"whole":1}', '{"next":2}']);
      expect(await readFile(path, 'utf8')).toContain('{"cut o');
    });
  });

  it('are never said to be kept when there was room for a part of them only', async () => {
    await withDirectory(async (directory) => {
      const path = join(directory, 'lines');
      const script = fileURLToPath(new URL('./fixtures/append-lines.ts', import.meta.url));
      // A file may have 1 KiB at most, as on a disk that is about to be full: the write that goes beyond is cut short.
      const limited = `ulimit -f 1; exec "$0" --disable-warning=ExperimentalWarning "${script}" "${path}"`;
      const { stdout } = spawnSync('bash', ['-c', limited, process.execPath], { encoding: 'utf8' });
      expect(stdout).toBe('one was kept, the other was refused: EFBIG\n');
      expect(await createDurableLines(path).read()).toEqual(['a'.repeat(100)]);
    });
  });
});
