import { chmod, cp, lstat, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { linkLibraries } from './native-links.ts';

/** A reused copy of the package's `native` folder under `base`, writable by this user only; undefined if impossible. */
export async function copyNative(source: string, base: string): Promise<string | undefined> {
  const uid = process.getuid?.() ?? 0;
  const origin = await lstat(source);
  // Another installation, or another version in its place, has another inode or time.
  const home = join(base, `answer-evidence-postgres-${uid}-${origin.ino}-${Math.trunc(origin.mtimeMs)}`);
  const copy = join(home, 'native');
  if ((await isPrivate(home, uid)) && (await isComplete(source, copy))) return copy;
  let draft: string | undefined;
  try {
    draft = await mkdtemp(`${home}-`);
    await chmod(draft, 0o755);
    await cp(source, join(draft, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !path.endsWith('.a'),
    });
    await openToReaders(draft);
    if (!(await linkLibraries(join(draft, 'native')))) return undefined;
    // Readers of a copy that a temporary-file cleaner has thinned out keep the files they opened.
    if (await isPrivate(home, uid)) await rm(home, { recursive: true, force: true });
    await rename(draft, home);
    return copy;
  } catch {
    // Full, read-only, absent, or another process was faster: the last leaves a good copy behind.
    return (await isPrivate(home, uid)) && (await isComplete(source, copy)) ? copy : undefined;
  } finally {
    if (draft !== undefined) await rm(draft, { recursive: true, force: true });
  }
}

/** An installation under a strict umask is closed to other users, and so would its copy be. */
async function openToReaders(dir: string): Promise<void> {
  for (const entry of await readdir(dir, { recursive: true })) {
    const { mode } = await stat(join(dir, entry));
    await chmod(join(dir, entry), (mode & 0o111) === 0 ? 0o644 : 0o755);
  }
}

async function isPrivate(dir: string, uid: number): Promise<boolean> {
  const found = await lstat(dir).catch(() => undefined);
  return found !== undefined && found.isDirectory() && found.uid === uid && (found.mode & 0o022) === 0;
}

async function isComplete(source: string, copy: string): Promise<boolean> {
  const entries = await readdir(source, { recursive: true });
  const checks = entries.map(async (entry) => {
    if (entry.endsWith('.a')) return true;
    const [from, to] = await Promise.all([lstat(join(source, entry)), lstat(join(copy, entry)).catch(() => undefined)]);
    return to !== undefined && (from.isDirectory() || from.size === to.size);
  });
  return (await Promise.all(checks)).every(Boolean);
}
