import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Platform } from './layout.ts';
import { packBaseOf } from './pack-base.ts';

/** Writes files into a folder, and the folders above them. */
export async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

/** Writes an archive with a base for each machine, of the files given; the file. */
export async function packBase(
  folder: string,
  platforms: readonly Platform[],
  files: Readonly<Record<string, string>>,
): Promise<string> {
  const bases = platforms.map((platform) => ({
    platform,
    root: join(folder, `base-${platform.architecture}`),
    env: ['PATH=/usr/bin', 'NODE_ENV=base'],
  }));
  for (const { root } of bases) await writeFiles(root, files);
  return packBaseOf(folder, bases);
}
