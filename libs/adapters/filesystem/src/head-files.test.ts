import { mkdir, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { headFilesContract } from '@answer-evidence/ports/contracts';
import { withDirectory } from './fixtures/with-directory.ts';
import { openHeadFiles } from './head-files.ts';

describe('openHeadFiles keeps the contract:', () => {
  for (const promise of headFilesContract) {
    it(promise.guarantee, () =>
      withDirectory((directory) => promise.prove({ open: () => openHeadFiles(join(directory, 'heads')) })),
    );
  }
});

describe('openHeadFiles', () => {
  it('leaves files for nobody else to read, no drafts, and lists none that a crash left', () =>
    withDirectory(async (directory) => {
      const files = await openHeadFiles(join(directory, 'a', 'heads'));
      await files.write('folder/head.json', 'x');
      expect(await readdir(join(directory, 'a', 'heads', 'folder'))).toEqual(['head.json']);
      for (const [path, mode] of [
        ['heads', 0o700],
        ['heads/folder', 0o700],
        ['heads/folder/head.json', 0o600],
      ] as const)
        expect((await stat(join(directory, 'a', path))).mode & 0o777).toBe(mode);
      await writeFile(join(directory, 'a/heads/folder/head.json.0199.draft'), 'half');
      expect(await files.list('folder')).toEqual(['head.json']);
    }));

  it('reads nothing through a link in the place of a file', () =>
    withDirectory(async (directory) => {
      const files = await openHeadFiles(join(directory, 'heads'));
      await files.write('folder/head.json', 'x');
      await symlink('head.json', join(directory, 'heads/folder/link.json'));
      await expect(files.read('folder/link.json')).rejects.toMatchObject({ code: 'ELOOP' });
    }));

  it('takes neither a lost folder nor a file that cannot be read for an empty place', () =>
    withDirectory(async (directory) => {
      const files = await openHeadFiles(join(directory, 'heads'));
      await mkdir(join(directory, 'heads/folder/head.json'), { recursive: true });
      await expect(files.read('folder/head.json')).rejects.toMatchObject({ code: 'EISDIR' });
      await rm(join(directory, 'heads'), { recursive: true });
      await expect(files.folders()).rejects.toMatchObject({ code: 'ENOENT' });
      await expect(files.list('')).rejects.toMatchObject({ code: 'ENOENT' });
    }));
});
