import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Some files of a folder, and what an archive says of them. */
export type Packed = {
  readonly paths: readonly string[];
  /** Of every file, in seconds. */
  readonly time: number;
  /** Root, if it is not said. */
  readonly owner?: number;
  /** As `chmod` takes it; by itself everybody may read, and run what may be run. */
  readonly mode?: string;
  /** What the paths begin with in the archive. */
  readonly below?: string;
};

/**
 * Packs files of a folder by GNU `tar` so that nothing in the archive is of the machine that packs: neither times,
 * owners, rights nor the order of a folder.
 */
export async function packFolder(file: string, folder: string, parts: readonly Packed[]): Promise<void> {
  for (const [n, { paths, time, owner = 0, mode = 'u=rwX,go=rX', below }] of parts.entries())
    await run('tar', [
      n === 0 ? '--create' : '--append',
      `--file=${file}`,
      '--format=gnu',
      '--sort=name',
      `--mtime=@${time}`,
      ...[`--owner=${owner}`, `--group=${owner}`, '--numeric-owner', `--mode=${mode}`],
      // Links are as they are.
      ...(below === undefined ? [] : [`--transform=flags=rh;s,^,${below}/,`]),
      `--directory=${folder}`,
      ...paths,
    ]);
}
