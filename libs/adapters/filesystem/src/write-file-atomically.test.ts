import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { withDirectory } from './fixtures/with-directory.ts';
import { writeFileAtomically } from './write-file-atomically.ts';

describe('writeFileAtomically', () => {
  it('replaces content and mode, and leaves no draft', () =>
    withDirectory(async (directory) => {
      const path = join(directory, 'config.yaml');
      await writeFile(path, 'old', { mode: 0o644 });
      await writeFileAtomically(path, 'new ä', 0o600);
      expect(await readFile(path, 'utf8')).toBe('new ä');
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      expect(await readdir(directory)).toEqual(['config.yaml']);
    }));

  it('gives exactly the mode, whatever the umask takes away', () =>
    withDirectory(async (directory) => {
      await writeFileAtomically(join(directory, 'open'), '', 0o666);
      expect((await stat(join(directory, 'open'))).mode & 0o777).toBe(0o666);
    }));

  it('never mixes the texts of writers at one time', () =>
    withDirectory(async (directory) => {
      const path = join(directory, 'file');
      const texts = Array.from({ length: 20 }, (_, i) => String(i).repeat(10_000));
      await Promise.all(texts.map((text) => writeFileAtomically(path, text, 0o600)));
      expect(texts).toContain(await readFile(path, 'utf8'));
      expect(await readdir(directory)).toEqual(['file']);
    }));

  it('leaves what is there, and no draft, when it cannot be replaced', () =>
    withDirectory(async (directory) => {
      const path = join(directory, 'taken');
      await mkdir(path);
      await expect(writeFileAtomically(path, 'text', 0o600)).rejects.toMatchObject({ code: 'EISDIR' });
      expect(await readdir(directory)).toEqual(['taken']);
    }));
});
