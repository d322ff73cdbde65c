import { execFileSync } from 'node:child_process';
import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A file system of its own, which can be filled. */
export type SmallDisk = {
  readonly folder: string;
  /** Whether it is one that was mounted, and no ordinary folder. */
  readonly canBeFilled: boolean;
  /** Rejects where only an ordinary folder is there. */
  fill(): Promise<void>;
  free(): Promise<void>;
  close(): Promise<void>;
};

const CHUNK_BYTES = 1 << 20;
/** What is mounted names itself and the process that it is for: `faults-4711`. */
const MOUNT_NAME = /^faults-(\d+)$/;

/** Mounts one of so many MB in memory; where that is not permitted, an ordinary folder that cannot be filled. */
export async function openSmallDisk(folder: string, sizeMb: number): Promise<SmallDisk> {
  await mkdir(folder, { mode: 0o755 });
  let canBeFilled = true;
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMb}m,mode=755`, `faults-${process.pid}`, folder], {
      stdio: 'ignore',
    });
  } catch {
    canBeFilled = false;
  }
  const filler = join(folder, 'filler');
  return {
    folder,
    canBeFilled,
    async fill() {
      if (!canBeFilled) throw new Error('only root may mount the small disk that is filled');
      const file = await open(filler, 'w');
      try {
        for (let size = CHUNK_BYTES; size > 1;)
          try {
            await file.write(new Uint8Array(size));
          } catch {
            size = Math.floor(size / 2);
          }
      } finally {
        await file.close();
      }
    },
    free: () => rm(filler, { force: true }),
    close() {
      if (canBeFilled) execFileSync('umount', ['-l', folder]);
      return Promise.resolve();
    },
  };
}

/** Unmounts what runs that were killed have left mounted, and removes the folders around it; their names. */
export async function removeForgottenDisks(): Promise<readonly string[]> {
  const mounts = await readFile('/proc/self/mounts', 'utf8').catch(() => '');
  const forgotten = findForgotten(mounts, isAlive);
  for (const folder of forgotten) execFileSync('umount', ['-l', folder]);
  for (const scene of new Set(forgotten.map(dirname))) await rm(scene, { recursive: true, force: true });
  return forgotten;
}

/** The folders of the mounts whose process is gone, of a table as `/proc/self/mounts` has it. */
export function findForgotten(mounts: string, isThere: (pid: number) => boolean): readonly string[] {
  return mounts.split('\n').flatMap((line) => {
    const [name = '', folder = '', type] = line.split(' ');
    const pid = MOUNT_NAME.exec(name)?.[1];
    return type === 'tmpfs' && pid !== undefined && !isThere(Number(pid)) ? [folder] : [];
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
