import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { withDirectory } from './fixtures/with-directory.ts';
import { readSpace } from './read-space.ts';

it('reads the room of a folder, and of one that is not made yet where it will be', () =>
  withDirectory(async (directory) => {
    const { bsize, blocks } = await statfs(directory);
    const there = await readSpace(directory);
    const later = await readSpace(join(directory, 'not/yet'));
    for (const { freeBytes, sizeBytes } of [there, later]) {
      expect(sizeBytes).toBe(blocks * bsize);
      expect(freeBytes).toBeGreaterThan(0);
      expect(freeBytes).toBeLessThanOrEqual(sizeBytes);
    }
    expect(later.fileSystem).toBe(there.fileSystem);
    expect((await readSpace('/proc/self')).fileSystem).not.toBe(there.fileSystem);
  }));

it('rejects for what is below a file', async () => {
  await expect(readSpace('/etc/passwd/folder')).rejects.toMatchObject({ code: 'ENOTDIR' });
});
