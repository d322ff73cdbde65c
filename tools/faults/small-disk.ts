import { execFileSync } from 'node:child_process';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** A file system of its own, which can be filled. */
export type SmallDisk = {
  readonly folder: string;
  /** Rejects where only an ordinary folder is there. */
  fill(): Promise<void>;
  free(): Promise<void>;
  close(): Promise<void>;
};

const CHUNK_BYTES = 1 << 20;

/** Mounts one of so many MB in memory; where that is not permitted, an ordinary folder that cannot be filled. */
export async function openSmallDisk(folder: string, sizeMb: number): Promise<SmallDisk> {
  await mkdir(folder, { mode: 0o755 });
  let canBeFilled = true;
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMb}m,mode=755`, 'faults', folder], { stdio: 'ignore' });
  } catch {
    canBeFilled = false;
  }
  const filler = join(folder, 'filler');
  return {
    folder,
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
