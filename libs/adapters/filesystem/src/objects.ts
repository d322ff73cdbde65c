import { randomUUID } from 'node:crypto';
import { type Dirent } from 'node:fs';
import { type FileHandle, lstat, open, readdir, rename, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ServiceError } from '@answer-evidence/contracts';
import {
  type ByteRange,
  FRAME_BYTES,
  FRAME_TAG_BYTES,
  ObjectMissingError,
  type ObjectName,
  type ObjectStore,
  parseObjectName,
  type StoredObject,
} from '@answer-evidence/ports';
import { createDirectory } from './create-directory.ts';
import { errorCode } from './error-code.ts';
import { openOwnFile } from './open-own-file.ts';
import { syncDirectory } from './write-file-atomically.ts';

/** Drafts lie apart from objects, in the same file system, so that a rename makes them visible at once. */
const DRAFTS = '.drafts';
const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;
/** Two frames of a sealed content: what is read from its beginning, or from a frame on, is not put together anew. */
const READ_BYTES = 2 * (FRAME_BYTES + FRAME_TAG_BYTES);

/**
 * Objects as files below a directory, which several processes may share. A file is written under another name, made
 * durable, and renamed, so an object is complete or absent, even after a crash.
 */
export async function openFileObjects(directory: string): Promise<ObjectStore> {
  const drafts = join(directory, DRAFTS);
  await createDirectory(drafts, DIRECTORY_MODE);
  return new FileObjects(directory, drafts);
}

class FileObjects implements ObjectStore {
  readonly #directory: string;
  readonly #drafts: string;
  /** Directories that this process has made durable. */
  readonly #durable = new Set<string>();

  constructor(directory: string, drafts: string) {
    this.#directory = directory;
    this.#drafts = drafts;
  }

  async put(name: ObjectName, content: AsyncIterable<Uint8Array>): Promise<number> {
    const draft = join(this.#drafts, randomUUID());
    try {
      const sizeBytes = await writeDraft(draft, content);
      await ask(() => this.#publish(draft, this.#pathOf(name)));
      return sizeBytes;
    } catch (error) {
      await unlink(draft).catch(() => undefined);
      throw error;
    }
  }

  async *read(name: ObjectName, range?: ByteRange): AsyncGenerator<Uint8Array> {
    const file = await ask(() => this.#orNothing(openIfThere(this.#pathOf(name))));
    if (file === undefined) throw new ObjectMissingError('no such object');
    try {
      let at = range?.offset ?? 0;
      const end = range === undefined ? Infinity : range.offset + range.length;
      while (at < end) {
        const piece = new Uint8Array(Math.min(READ_BYTES, end - at));
        const position = at;
        const { bytesRead } = await ask(() => file.read(piece, 0, piece.length, position));
        if (bytesRead === 0) return;
        at += bytesRead;
        yield piece.subarray(0, bytesRead);
      }
    } finally {
      await file.close();
    }
  }

  find(name: ObjectName): Promise<StoredObject | undefined> {
    const path = this.#pathOf(name);
    return ask(() => this.#orNothing(findFile(name, path)));
  }

  delete(name: ObjectName): Promise<void> {
    const path = this.#pathOf(name);
    return ask(async () => {
      await unlink(path).catch(ignoreMissing);
      // Also where nothing was there: anyone who deleted it may not have come so far.
      await syncDirectory(dirname(path)).catch(ignoreMissing);
      await this.#assertThere();
    });
  }

  async *list(
    options: { readonly workspaceId?: string; readonly after?: ObjectName } = {},
  ): AsyncGenerator<StoredObject> {
    const { after = '' } = options;
    await ask(() => this.#assertThere());
    const workspaces =
      options.workspaceId === undefined ? await ask(() => directoriesIn(this.#directory)) : [options.workspaceId];
    for (const workspace of workspaces) {
      // Names are compared as far as they are known.
      if (workspace < after.slice(0, workspace.length)) continue;
      for (const part of await ask(() => directoriesIn(join(this.#directory, workspace)))) {
        const place = `${workspace}/${part}`;
        if (place < after.slice(0, place.length)) continue;
        for (const entry of await ask(() => entriesOf(join(this.#directory, place)))) {
          const name = parseObjectName(`${place}/${entry.name}`)?.name;
          if (name === undefined || name <= after) continue;
          const found = await this.find(name);
          if (found !== undefined) yield found;
        }
      }
    }
  }

  deleteRemains(beforeMicros: number): Promise<number> {
    return ask(async () => {
      let count = 0;
      for (const name of await readdir(this.#drafts)) {
        const path = join(this.#drafts, name);
        // Its last byte: a slow writing is not one that has ended.
        const state = await stat(path).catch(ignoreMissing);
        if (state === undefined || state.mtimeMs * 1_000 >= beforeMicros) continue;
        await unlink(path).catch(ignoreMissing);
        count++;
      }
      return count;
    });
  }

  /** A folder that is not mounted has no objects either; nothing that is said of one then would be true. */
  async #assertThere(): Promise<void> {
    await readdir(this.#drafts);
  }

  async #orNothing<T>(asked: Promise<T | undefined>): Promise<T | undefined> {
    const found = await asked;
    if (found === undefined) await this.#assertThere();
    return found;
  }

  #pathOf(name: ObjectName): string {
    // A type alone does not keep a path of somebody's making out.
    if (parseObjectName(name) === undefined) throw new RangeError('not a valid object name');
    return join(this.#directory, name);
  }

  async #publish(draft: string, path: string): Promise<void> {
    const directory = dirname(path);
    if (!this.#durable.has(directory)) {
      await createDirectory(directory, DIRECTORY_MODE);
      // Another process may have made it a moment ago and not have come as far as making it durable.
      await syncDirectory(dirname(directory));
      await syncDirectory(this.#directory);
      this.#durable.add(directory);
    }
    try {
      await rename(draft, path);
      await syncDirectory(directory);
    } catch (error) {
      // It may have been taken away since, by anyone who puts a backup in its place; then the next try makes it anew.
      this.#durable.delete(directory);
      throw error;
    }
  }
}

/** Writes a durable file and returns its size. An error of the content is passed on as it is. */
async function writeDraft(path: string, content: AsyncIterable<Uint8Array>): Promise<number> {
  const file = await ask(() => open(path, 'wx', FILE_MODE));
  try {
    let sizeBytes = 0;
    for await (const piece of content) {
      await ask(() => file.writeFile(piece));
      sizeBytes += piece.length;
    }
    await ask(async () => {
      await file.chmod(FILE_MODE);
      await file.sync();
    });
    return sizeBytes;
  } finally {
    await file.close();
  }
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  return await openOwnFile(path).catch(ignoreMissing);
}

async function findFile(name: ObjectName, path: string): Promise<StoredObject | undefined> {
  // What is no file is none of ours: neither what a link leads to.
  const state = await lstat(path).catch(ignoreMissing);
  if (state === undefined || !state.isFile()) return undefined;
  return { name, sizeBytes: state.size, storedAtMicros: Math.floor(state.mtimeMs * 1_000) };
}

async function directoriesIn(path: string): Promise<readonly string[]> {
  const entries = await entriesOf(path);
  return entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.')).map(({ name }) => name);
}

async function entriesOf(path: string): Promise<readonly Dirent[]> {
  const entries = (await readdir(path, { withFileTypes: true }).catch(ignoreMissing)) ?? [];
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function ignoreMissing(error: unknown): undefined {
  const code = errorCode(error);
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP') return undefined;
  throw error;
}

/** Runs system calls; whatever they are refused with, the store cannot be used at the moment. */
async function ask<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    if (errorCode(cause) === undefined) throw cause;
    throw new ServiceError('object_store_unavailable', 'the object store is unavailable; retry the same request', {
      remedy: 'retry',
      cause,
    });
  }
}
