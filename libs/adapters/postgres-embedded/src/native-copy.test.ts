import { chmod, mkdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createTestScope } from './fixtures/test-scope.ts';
import { copyNative } from './native-copy.ts';
import { linkLibraries } from './native-links.ts';

const scope = createTestScope();
afterEach(() => scope.close());

/** A platform package as npm unpacks it without install scripts, under a strict umask. */
async function openPackage(): Promise<{ readonly native: string; readonly base: string }> {
  const root = await scope.openDir();
  const native = join(root, 'package', 'native');
  const base = join(root, 'base');
  await mkdir(join(native, 'bin'), { recursive: true });
  await mkdir(join(native, 'lib'));
  await mkdir(base);
  await writeFile(join(native, 'bin', 'postgres'), '#!/bin/sh\n');
  await chmod(join(native, 'bin', 'postgres'), 0o700);
  await writeFile(join(native, 'lib', 'libx.so.1.2'), 'library');
  await writeFile(join(native, 'lib', 'libx.a'), 'for linkers only');
  const links = [{ source: 'native/lib/libx.so.1.2', target: 'native/lib/libx.so.1' }];
  await writeFile(join(native, 'pg-symlinks.json'), JSON.stringify(links));
  await chmod(join(native, 'lib'), 0o700);
  return { native, base };
}

describe('linkLibraries', () => {
  it('creates the missing links of a package, and leaves those that exist', async () => {
    const { native } = await openPackage();
    expect(await linkLibraries(native)).toBe(true);
    expect(await readFile(join(native, 'lib', 'libx.so.1'), 'utf8')).toBe('library');
    await rm(join(native, 'lib', 'libx.so.1'));
    await symlink('elsewhere', join(native, 'lib', 'libx.so.1'));
    expect(await linkLibraries(native)).toBe(true);
    expect(await readlink(join(native, 'lib', 'libx.so.1'))).toBe('elsewhere');
  });

  it('creates no link outside of the package', async () => {
    const { native } = await openPackage();
    const links = [{ source: 'native/lib/libx.so.1.2', target: '../outside' }];
    await writeFile(join(native, 'pg-symlinks.json'), JSON.stringify(links));
    expect(await linkLibraries(native)).toBe(false);
    await expect(stat(join(native, '..', '..', 'outside'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('copyNative', () => {
  it('makes one complete copy, open to readers and closed to writers', async () => {
    const { native, base } = await openPackage();
    const copies = await Promise.all([copyNative(native, base), copyNative(native, base), copyNative(native, base)]);
    const [copy] = copies;
    expect(new Set(copies).size).toBe(1);
    expect(await readFile(join(copy ?? '', 'lib', 'libx.so.1'), 'utf8')).toBe('library');
    expect((await stat(join(copy ?? '', 'lib'))).mode & 0o777).toBe(0o755);
    expect((await stat(join(copy ?? '', 'bin', 'postgres'))).mode & 0o777).toBe(0o755);
    expect((await stat(join(copy ?? '', 'lib', 'libx.so.1.2'))).mode & 0o777).toBe(0o644);
  });

  it('replaces a copy that has lost files', async () => {
    const { native, base } = await openPackage();
    const copy = (await copyNative(native, base)) ?? '';
    await rm(join(copy, 'lib', 'libx.so.1.2'));
    expect(await copyNative(native, base)).toBe(copy);
    expect(await readFile(join(copy, 'lib', 'libx.so.1'), 'utf8')).toBe('library');
  });

  it('uses no folder that others may write', async () => {
    const { native, base } = await openPackage();
    const copy = (await copyNative(native, base)) ?? '';
    await chmod(join(copy, '..'), 0o777);
    expect(await copyNative(native, base)).toBeUndefined();
  });

  it('gives nothing where it cannot write', async () => {
    const { native, base } = await openPackage();
    expect(await copyNative(native, join(base, 'absent'))).toBeUndefined();
  });
});
