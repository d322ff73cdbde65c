import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { assertWritableDirectory } from './assert-writable-directory.ts';
import { withDirectory } from './fixtures/with-directory.ts';

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

describe('assertWritableDirectory', () => {
  it('makes the directory and the parents it lacks, passable but not listable for others', () =>
    withDirectory(async (directory) => {
      const path = join(directory, 'a', 'b', 'c');
      await assertWritableDirectory(path);
      await assertWritableDirectory(path);
      for (const made of ['a', 'a/b', 'a/b/c']) expect(await modeOf(join(directory, made))).toBe(0o711);
      expect(await readdir(path)).toEqual([]);
    }));

  it('keeps the mode and the files of a directory that is there', () =>
    withDirectory(async (directory) => {
      const path = join(directory, 'mine');
      await mkdir(path);
      await chmod(path, 0o750);
      await writeFile(join(path, 'file'), '');
      await assertWritableDirectory(path);
      expect(await modeOf(path)).toBe(0o750);
      expect(await readdir(path)).toEqual(['file']);
    }));

  it('says in one line which folder and which setting are wrong', () =>
    withDirectory(async (directory) => {
      await writeFile(join(directory, 'file'), '');
      for (const path of [join(directory, 'file'), join(directory, 'file', 'below')]) {
        const error: unknown = await assertWritableDirectory(path).catch((thrown: unknown) => thrown);
        expect(String(error)).toContain(path);
        expect(String(error)).toContain('SERVICE_DATA_DIR');
        expect(String(error)).not.toContain('\n');
      }
    }));
});
