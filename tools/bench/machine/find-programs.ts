import { accessSync, constants, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The programs that make load, by their paths. */
export type Programs = { readonly wrk: string; readonly pgbench: string };

/** A program is not installed. */
export class MissingProgramError extends Error {
  override readonly name = 'MissingProgramError';
}

const DEBIAN_POSTGRES = '/usr/lib/postgresql';

/** Finds wrk and pgbench in the PATH, pgbench also where Debian keeps it. Throws `MissingProgramError`. */
export function findPrograms(path: string): Programs {
  const folders = path.split(delimiter).filter((folder) => folder !== '');
  const wrk = findProgram('wrk', folders);
  const pgbench = findProgram('pgbench', [...folders, ...debianFolders()]);
  if (wrk === undefined || pgbench === undefined)
    throw new MissingProgramError(
      `${wrk === undefined ? 'wrk' : 'pgbench'} is missing: apt-get install wrk postgresql-contrib`,
    );
  return { wrk, pgbench };
}

/** The first program of this name in the folders. */
export function findProgram(name: string, folders: readonly string[]): string | undefined {
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Newest version first. */
function debianFolders(): readonly string[] {
  try {
    return readdirSync(DEBIAN_POSTGRES)
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join(DEBIAN_POSTGRES, version, 'bin'));
  } catch {
    return [];
  }
}
