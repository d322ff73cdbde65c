import { join } from 'node:path';
import * as z from 'zod';
import { sha256 } from '@answer-evidence/digest';
import { canonicalize, formatHex, parseJson } from '@answer-evidence/encoding';
import type { KeptCheckpoint, WitnessedCheckpoint, WitnessedCheckpoints } from '@answer-evidence/ports';
import { createDirectory } from './create-directory.ts';
import { errorCode } from './error-code.ts';
import { readOwnFile } from './open-own-file.ts';
import { linkRevision, listNames, listRevisions, revisionName } from './revisions.ts';
import { syncDirectory, writeFileAtomically } from './write-file-atomically.ts';

const stored = z.strictObject({
  origin: z.string().min(1),
  tree_size: z.int().nonnegative(),
  root_hash: z.string().regex(/^[0-9a-f]{64}$/),
  note: z.string(),
});

const FORK_NAME = /^fork-[0-9a-f]{64}\.note$/;
const FORKS_MAX = 16;
/** How often a file may vanish between being listed and being read; each time, a newer one has come. */
const READS_MAX = 100;

/** A checkpoint that was kept cannot be read; the message says what to do. */
export class WitnessedCheckpointError extends Error {
  override readonly name = 'WitnessedCheckpointError';
}

/**
 * Checkpoints as small JSON files, one directory per log, one file a revision; the highest number counts. To keep is to
 * link a finished, durable draft to the next number, which the file system grants to one of all takers, in whatever
 * process. Old files go, but never the latest ones: so the highest number never falls, and anyone who links a number
 * that is long past sees a higher one and withdraws. Killed at any instruction, a process leaves the old or the new
 * revision, and at most a draft.
 */
export async function openWitnessedCheckpoints(directory: string): Promise<WitnessedCheckpoints> {
  await createDirectory(directory, 0o700);

  // By the hash: an origin may be any text, a path among them.
  const directoryOf = (origin: string) => join(directory, formatHex(sha256(origin)));

  async function find(origin: string): Promise<KeptCheckpoint | undefined> {
    const folder = directoryOf(origin);
    for (let reads = 0; reads < READS_MAX; reads++) {
      const revision = Math.max(0, ...(await listRevisions(folder)));
      if (revision === 0) return undefined;
      const found = await readRevision(folder, revision, origin);
      if (found === undefined) continue;
      // Another process may just have linked it: what is shown must outlive a failure of the machine.
      await syncDirectory(folder);
      return found;
    }
    throw new WitnessedCheckpointError(`the files in ${folder} change faster than they can be read`);
  }

  return {
    find,
    async keep(next, afterRevision) {
      // Parsed before it is written: what could not be read back would stop this witness for the log.
      const text = formatCheckpoint(next);
      const latest = await find(next.origin);
      if ((latest?.revision ?? 0) !== afterRevision) return false;
      assertExtends(next, latest);
      const folder = directoryOf(next.origin);
      await createDirectory(folder, 0o700);
      return await linkRevision(folder, afterRevision + 1, text);
    },
    async keepFork(origin, note) {
      const folder = directoryOf(origin);
      await createDirectory(folder, 0o700);
      const name = `fork-${formatHex(sha256(note))}.note`;
      const names = await listForks(folder);
      // The first ones prove it; a log that forks without end shall not fill the disk.
      if (!names.includes(name) && names.length < FORKS_MAX) await writeFileAtomically(join(folder, name), note, 0o600);
    },
    async findForks(origin) {
      const folder = directoryOf(origin);
      return await Promise.all((await listForks(folder)).map((name) => readNote(join(folder, name))));
    },
  };
}

async function readNote(path: string): Promise<string> {
  return new TextDecoder().decode(await readOwnFile(path));
}

async function listForks(folder: string): Promise<readonly string[]> {
  return (await listNames(folder)).filter((name) => FORK_NAME.test(name));
}

async function readRevision(folder: string, revision: number, origin: string): Promise<KeptCheckpoint | undefined> {
  const path = join(folder, revisionName(revision));
  try {
    const { note, ...checkpoint } = stored.parse(parseJson(await readOwnFile(path)));
    if (checkpoint.origin !== origin) throw new Error('the file belongs to another log');
    return { origin, treeSize: checkpoint.tree_size, rootHash: checkpoint.root_hash, note, revision };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw new WitnessedCheckpointError(
      `${path} cannot be read or is damaged, so this log could show two histories; restore the file from a backup`,
      { cause: error },
    );
  }
}

function formatCheckpoint({ origin, treeSize, rootHash, note }: WitnessedCheckpoint): string {
  return `${canonicalize(stored.parse({ origin, tree_size: treeSize, root_hash: rootHash, note }))}\n`;
}

function assertExtends(next: WitnessedCheckpoint, latest: WitnessedCheckpoint | undefined): void {
  if (latest === undefined) return;
  if (next.treeSize < latest.treeSize) throw new Error('a witness never goes back to a smaller tree');
  if (next.treeSize === latest.treeSize && next.rootHash !== latest.rootHash) {
    throw new Error('a witness never keeps two roots of one size');
  }
}
