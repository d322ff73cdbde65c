const VARIABLE = 'MALLOC_MMAP_THRESHOLD_';
/** Where glibc begins, in bytes. */
const THRESHOLD = '131072';

/**
 * Starts this program again in the same process with glibc's `M_MMAP_THRESHOLD` fixed (mallopt(3)), which is read from
 * the environment before anything runs. Otherwise glibc raises it to the largest block that was ever freed, and keeps
 * hundreds of MiB of large requests that are over. Does nothing where somebody has set it, outside of Linux, and before
 * Node 22.15.
 */
export function fixMallocThreshold(): void {
  if (process.platform !== 'linux' || VARIABLE in process.env || process.execve === undefined) return;
  const args = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  process.execve(process.execPath, args, { ...process.env, [VARIABLE]: THRESHOLD });
}
