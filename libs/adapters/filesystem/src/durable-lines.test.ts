import { appendFile, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
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
});
