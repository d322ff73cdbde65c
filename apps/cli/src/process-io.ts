import { randomUUID } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, parse } from 'node:path';
import { askTerminal } from './ask-terminal.ts';
import { takeFileLock } from './file-lock.ts';
import type { Files, Io, Sink } from './io.ts';
import { findErrorCode } from './system-error.ts';

/** The files of the machine. */
export const nodeFiles: Files = {
  read: async (path) => new Uint8Array(await readFile(path)),
  readPieces: (path) => createReadStream(path),
  mode: async (path) => (process.platform === 'win32' ? undefined : (await stat(path)).mode & 0o777),
  async write(path, content) {
    // A device or a pipe, such as /dev/stdout, cannot be replaced by a file.
    if (!(await isReplaceable(path))) return writeFile(path, content);
    await replaceFile(path, content, {});
  },
  async writePrivate(path, content) {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await replaceFile(path, content, PRIVATE);
  },
  async openReplacement(path) {
    const isReplaced = await isReplaceable(path);
    const target = isReplaced ? nameBeside(path) : path;
    const file = await open(target, 'w');
    return {
      async append(content) {
        await file.writeFile(content);
      },
      async commit() {
        await file.close();
        if (isReplaced) await rename(target, path);
      },
      async abandon() {
        await file.close();
        if (isReplaced) await rm(target, { force: true });
      },
    };
  },
  async writeDurably(path, content) {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    // With it comes the code of proxies, which few commands need.
    const { writeDurably } = await import('@answer-evidence/client/node');
    await writeDurably(path, content);
  },
  async writeShared(path, content) {
    await mkdir(dirname(path), { recursive: true });
    // Always the same name: what a killed process has left is written over by the next one.
    const beside = `${path}.part`;
    const file = await open(beside, 'w', 0o644);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(beside, path);
  },
  remove: (path) => rm(path),
  async size(path) {
    try {
      return (await stat(path)).size;
    } catch (error) {
      if (findErrorCode(error) === 'ENOENT') return undefined;
      throw error;
    }
  },
  async writeFrom(path, offset, content) {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600);
    try {
      await file.truncate(offset);
      await file.write(content, offset);
      await file.sync();
    } finally {
      await file.close();
    }
  },
  async list(folder) {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.flatMap((entry) => (entry.isDirectory() ? [] : [entry.name])).sort();
  },
  lock: takeFileLock,
};

/** The mode from the first byte on: never is the file there with the content and open to others. */
const PRIVATE = { mode: 0o600, flag: 'wx' } as const;

async function replaceFile(path: string, content: string | Uint8Array, options: Parameters<typeof writeFile>[2]) {
  const beside = nameBeside(path);
  try {
    await writeFile(beside, content, options);
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

async function isReplaceable(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch (error) {
    if (findErrorCode(error) === 'ENOENT') return true;
    throw error;
  }
}

function nameBeside(path: string): string {
  return `${path}.${randomUUID()}.part`;
}

function createSink(stream: NodeJS.WriteStream): Sink {
  // Anyone who reads may stop at any time (`| head`), which is no fault of the command.
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  return { isTerminal: stream.isTTY, columns: stream.columns, write: (text) => void stream.write(text) };
}

/** The root for a user who has no home, as in a container under a uid of its own: nothing is saved there. */
function findHome(): string {
  try {
    return homedir();
  } catch (error) {
    if (findErrorCode(error) === undefined) throw error;
    return parse(process.cwd()).root;
  }
}

/** The world of this process. */
export function createProcessIo(): Io {
  return {
    stdout: createSink(process.stdout),
    stderr: createSink(process.stderr),
    env: process.env,
    homeDir: findHome(),
    paths: { basename, join },
    files: nodeFiles,
    fetch: (input, init) => fetch(input, init),
    async readStdin() {
      const chunks: Uint8Array[] = [];
      for await (const chunk of process.stdin) {
        if (chunk instanceof Uint8Array) chunks.push(chunk);
      }
      return new Uint8Array(Buffer.concat(chunks));
    },
    askTerminal: process.stdin.isTTY ? (prompt, hidden) => askTerminal(prompt, hidden) : undefined,
    now: () => Date.now() * 1000,
    elapsedMs: () => performance.now(),
  };
}
