import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PART, writeDurably } from '@answer-evidence/client/node';
import { QueueError } from '../errors.ts';
import type { QueueItem, QueueStore } from './queue-store.ts';

/** A part that is older was left by a process that has ended. It was never promised. */
const PART_AGE_MAX_MS = 3_600_000;
/** Digits of a time in milliseconds, so that names sort by time. */
const TIME_DIGITS = 15;

/**
 * A queue in a folder: one file per answer, named by the time and a random id, so that several processes may share it.
 * If two of them send one file, its idempotency key makes one record of it.
 */
export function createFolderQueue(folder: string): QueueStore {
  const own = new Set<string>();
  const rejected = join(folder, 'rejected');
  const made = makeFolders(rejected);

  const itemOf = (name: string): QueueItem => {
    const path = join(folder, name);
    return {
      async read() {
        const text = await readFile(path, 'utf8').catch(ignoreMissing);
        if (text === undefined || isRequest(text)) return text;
        throw new QueueError('queue_damaged', `${name} in the folder of the queue is damaged: it is in rejected/ now`);
      },
      async remove() {
        own.delete(name);
        await rm(path, { force: true });
      },
      async reject(reason) {
        own.delete(name);
        await writeDurably(join(rejected, `${name}.reason.txt`), `${reason}\n`);
        await rename(path, join(rejected, name)).catch(ignoreMissing);
      },
    };
  };

  return {
    isDurable: true,
    async add(text) {
      const name = `${String(Date.now()).padStart(TIME_DIGITS, '0')}-${randomUUID()}.json`;
      own.add(name);
      try {
        await made;
        await writeDurably(join(folder, name), text);
      } catch (cause) {
        own.delete(name);
        const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
        throw new QueueError('queue_unwritable', `the folder of the queue cannot be written (${code})`, { cause });
      }
      return itemOf(name);
    },
    async recover() {
      await made;
      const names = await readdir(folder);
      await Promise.all(names.filter((name) => name.endsWith(PART)).map((name) => removeOldPart(join(folder, name))));
      return names
        .filter((name) => name.endsWith('.json') && !own.has(name))
        .toSorted()
        .map(itemOf);
    },
  };
}

async function makeFolders(innermost: string): Promise<void> {
  await mkdir(innermost, { recursive: true, mode: 0o700 });
}

async function removeOldPart(path: string): Promise<void> {
  const found = await stat(path).catch(ignoreMissing);
  if (found !== undefined && Date.now() - found.mtimeMs > PART_AGE_MAX_MS) await rm(path, { force: true });
}

function ignoreMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}

/** Whether it is the JSON of an object with a key: what was written here is. */
function isRequest(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'idempotency_key' in value;
  } catch {
    return false;
  }
}
