import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { assertNotOpen, assertNoWayOut } from './assert-own-folder.ts';
import { withDirectory } from './fixtures/with-directory.ts';

const FOLDERS = ['heads', 'postgres'];

describe('assertNoWayOut', () => {
  it('refuses a link that leads out, wherever it stands and whether anything is there, and no other', () =>
    withDirectory(async (directory) => {
      const data = join(directory, 'data');
      await mkdir(join(data, 'heads'), { recursive: true });
      await writeFile(join(directory, 'data-of-others'), '');
      await mkdir(join(data, 'postgres'));
      await symlink('heads', join(data, 'inside'));
      await assertNoWayOut(data, [...FOLDERS, 'objects']);
      for (const place of ['master.key', 'objects', 'heads/0199', 'postgres/cluster', 'postgres/password'])
        for (const target of [
          directory,
          join(directory, 'data-of-others'),
          '/nothing/there',
          data,
          join(data, place),
        ]) {
          await symlink(target, join(data, place));
          await expect(assertNoWayOut(data, FOLDERS)).rejects.toThrow(
            `${join(data, place)} is a link that leads out of the folder; put what it leads to in its place, or mount`,
          );
          await rm(join(data, place));
        }
      await assertNoWayOut(data, FOLDERS);
    }));

  it('lets the folder itself be a link, which the operator has named', () =>
    withDirectory(async (directory) => {
      await mkdir(join(directory, 'data', 'heads'), { recursive: true });
      await symlink('data', join(directory, 'named'));
      await symlink('heads', join(directory, 'data', 'inside'));
      await assertNoWayOut(join(directory, 'named'), FOLDERS);
    }));
});

describe('assertNotOpen', () => {
  it('refuses what every user may write to, and says what to run', () =>
    withDirectory(async (directory) => {
      await mkdir(join(directory, 'heads'));
      for (const mode of [0o711, 0o755, 0o770, 0o2770]) {
        await chmod(join(directory, 'heads'), mode);
        await assertNotOpen(directory, FOLDERS);
      }
      for (const path of [directory, join(directory, 'heads')])
        for (const mode of [0o777, 0o1777, 0o702]) {
          await chmod(path, mode);
          await expect(assertNotOpen(directory, FOLDERS)).rejects.toThrow(
            `${path} can be written to by other users; run: chmod o-w ${path}`,
          );
          await chmod(path, 0o700);
        }
    }));
});
