import { readFile, symlink } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { findErrorCode } from './embedded-postgres-error.ts';

/** Creates the library links that npm archives cannot hold; false when the folder forbids it. Existing links stay. */
export async function linkLibraries(nativeDir: string): Promise<boolean> {
  const listed: unknown = JSON.parse(await readFile(join(nativeDir, 'pg-symlinks.json'), 'utf8'));
  if (!Array.isArray(listed)) return false;
  for (const entry of listed as readonly unknown[]) {
    if (typeof entry !== 'object' || entry === null || !('source' in entry && 'target' in entry)) return false;
    if (typeof entry.source !== 'string' || typeof entry.target !== 'string') return false;
    // Both are paths from the package's folder, which holds `native/`.
    const link = join(nativeDir, '..', entry.target);
    const target = relative(dirname(entry.target), entry.source);
    if (basename(nativeDir) !== 'native' || relative(nativeDir, link).startsWith('..')) return false;
    try {
      await symlink(target, link);
    } catch (error) {
      if (findErrorCode(error) !== 'EEXIST') return false;
    }
  }
  return true;
}
