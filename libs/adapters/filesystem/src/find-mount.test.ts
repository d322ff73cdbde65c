import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { findMount } from './find-mount.ts';
import { withDirectory } from './fixtures/with-directory.ts';

it('finds the mount of a folder, of one that is not made yet, and of one behind a link', () =>
  withDirectory(async (directory) => {
    await mkdir(join(directory, 'with space/deep'), { recursive: true });
    await mkdir(join(directory, 'with'));
    await symlink(join(directory, 'with space'), join(directory, 'link'));
    const list = join(directory, 'mountinfo');
    await writeFile(
      list,
      [
        '22 1 0:21 / / rw,relatime master:1 - overlay overlay rw,lowerdir=/a',
        `23 22 254:1 /volume ${join(directory, 'with\\040space')} rw - ext4 /dev/vda rw`,
        `24 22 254:1 / ${join(directory, 'with')} rw shared:3 propagate_from:1 - xfs /dev/vdb rw`,
        `25 23 0:30 / ${join(directory, 'with\\040space/deep')} rw - ext4 /dev/vdc rw`,
        `26 25 0:31 / ${join(directory, 'with\\040space/deep')} rw - tmpfs tmpfs rw`,
        'half a line',
        '',
      ].join('\n'),
    );
    const mountOf = async (path: string) => (await findMount(join(directory, path), list))?.fileSystem;
    expect(await mountOf('without')).toBe('overlay');
    expect(await mountOf('with space/not/yet')).toBe('ext4');
    expect(await mountOf('link/not')).toBe('ext4');
    expect(await mountOf('with')).toBe('xfs');
    expect(await mountOf('link/deep')).toBe('tmpfs');
    expect((await findMount('/proc'))?.fileSystem).toBe(process.platform === 'linux' ? 'proc' : undefined);
    expect(await findMount(directory, join(directory, 'no list'))).toBeUndefined();
  }));
