import { link, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedPostgresError, findErrorCode } from './embedded-postgres-error.ts';
import { findProcessStamp } from './process-table.ts';

/** The right of one process to run the server of a data directory. */
export type ParentLock = { close(): Promise<void> };

const lockName = /^parent-(\d+)\.lock$/;
const released = 'released\n';

async function listGenerations(dir: string): Promise<readonly number[]> {
  const names = await readdir(dir);
  return names.flatMap((name) => lockName.exec(name)?.[1] ?? []).map(Number);
}

/** The pid of the living process that holds a lock file. */
async function findHolder(path: string): Promise<number | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    // Removed since it was listed: a newer generation exists, and the attempt to link the next one will tell.
    if (findErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  const [, pid, stamp] = /^(\d+) (.+)\n$/.exec(text) ?? [];
  return pid !== undefined && findProcessStamp(Number(pid)) === stamp ? Number(pid) : undefined;
}

/**
 * Takes the lock of a data directory, also from a holder that has died; throws `already_running` while one lives.
 *
 * Lock files are numbered and the highest number counts. A taker hard-links the number after the highest, complete
 * from the start and refused by the file system if another was faster; lower numbers go only after that, and a
 * release keeps its file. So the highest number never falls, and a slow taker who links an old number sees a higher
 * one and withdraws. Removing a stale file and creating it again would let two takers remove each other's.
 */
export async function openParentLock(dir: string): Promise<ParentLock> {
  const draft = join(dir, `parent-draft-${process.pid}-${crypto.randomUUID()}`);
  await writeFile(draft, `${process.pid} ${findProcessStamp(process.pid) ?? 'unknown'}\n`, { mode: 0o644 });
  try {
    for (;;) {
      const highest = Math.max(0, ...(await listGenerations(dir)));
      const holder = highest === 0 ? undefined : await findHolder(join(dir, `parent-${highest}.lock`));
      if (holder !== undefined) {
        throw new EmbeddedPostgresError(
          'already_running',
          `the PostgreSQL in ${dir} belongs to the running process ${holder}`,
        );
      }
      const path = join(dir, `parent-${highest + 1}.lock`);
      try {
        await link(draft, path);
      } catch (error) {
        if (findErrorCode(error) === 'EEXIST') continue;
        throw error;
      }
      const generations = await listGenerations(dir);
      if (Math.max(...generations) > highest + 1) {
        await rm(path, { force: true });
        continue;
      }
      // From here on every other taker finds a living holder.
      for (const old of generations) if (old <= highest) await rm(join(dir, `parent-${old}.lock`), { force: true });
      return { close: () => release(path) };
    }
  } finally {
    await rm(draft, { force: true });
  }
}

async function release(path: string): Promise<void> {
  const draft = `${path}.released`;
  await writeFile(draft, released, { mode: 0o644 });
  await rename(draft, path);
}
