import { mkdtemp, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type DataDir, findText, getPassword, replaceFile, syncDir } from './data-dir.ts';
import { EmbeddedPostgresError, findErrorCode } from './embedded-postgres-error.ts';
import type { NativeBinaries } from './native-binaries.ts';
import { chownTo, chownTree, dataDirArgument, findRunAsNamed, type RunAs, runAsToEnd } from './run-as.ts';

const draftPrefix = 'cluster-draft-';

/** An initdb whose parent was killed may still be writing into its draft for a moment. */
async function removeDraft(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (findErrorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/**
 * Makes sure that the cluster exists and belongs to the user who runs it; true when it was made now.
 *
 * initdb works in a draft folder, renamed when it is complete and on disk: the name `cluster` is the mark of success. A
 * crash leaves a draft, removed here; a finished cluster is never written to. The caller holds the lock of the data
 * directory.
 */
export async function initCluster(
  dir: DataDir,
  binaries: NativeBinaries,
  runAs: RunAs,
  durable: boolean,
): Promise<boolean> {
  for (const name of await readdir(dir.path)) {
    if (name.startsWith(draftPrefix)) await removeDraft(join(dir.path, name));
  }
  if (await exists(dir.cluster)) {
    await chownTree(dir.cluster, runAs.owner);
    return false;
  }
  // The password is on disk before any cluster needs it, and a redone initdb takes the one that is there.
  if ((await findText(dir.passwordFile)) === undefined) {
    const password = Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString('hex');
    await replaceFile(dir, dir.passwordFile, `${password}\n`, runAs);
  }
  await getPassword(dir);
  const draft = await mkdtemp(join(dir.path, draftPrefix));
  try {
    const named = await findRunAsNamed(runAs);
    // What initdb reads and writes is its user's meanwhile.
    for (const path of [draft, dir.passwordFile]) await chownTo(path, named.owner);
    await runInitdb(dir, draft, binaries, named, durable);
    await chownTree(draft, runAs.owner);
    await chownTo(dir.passwordFile, runAs.owner);
    await rename(draft, dir.cluster);
    await syncDir(dir.path);
  } finally {
    await removeDraft(draft);
  }
  return true;
}

async function runInitdb(
  dir: DataDir,
  draft: string,
  binaries: NativeBinaries,
  runAs: RunAs,
  durable: boolean,
): Promise<void> {
  const passwordFile = await open(dir.passwordFile, 'r');
  try {
    const result = await runAsToEnd(
      runAs,
      [
        binaries.initdb,
        `--pgdata=${dataDirArgument(draft)}`,
        '--username=postgres',
        // Handed over as an open file: its path may be closed to the other user.
        '--pwfile=/dev/stdin',
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        // PostgreSQL's own C.UTF-8: the order of an index does not change with the machine's C library, which may
        // not even have a locale of this name.
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--locale=C',
        '--no-instructions',
        ...(durable ? [] : ['--no-sync']),
      ],
      draft,
      passwordFile.fd,
    );
    if (!result.ok) throw new EmbeddedPostgresError('initdb_failed', `initdb failed: ${result.output}`);
  } finally {
    await passwordFile.close();
  }
}
