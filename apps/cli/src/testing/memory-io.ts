import { posix } from 'node:path';
import type { Io, Sink } from '../io.ts';

/** A file of a memory world. */
export type MemoryFile = { readonly content: string; readonly mode?: number };

/** What a memory world starts with. */
export type MemoryWorld = {
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, MemoryFile | string>>;
  readonly stdin?: string | Uint8Array;
  readonly isTerminal?: boolean;
  /** What a person at the terminal answers, one after the other. */
  readonly answers?: readonly string[];
  readonly fetch?: typeof fetch;
  readonly homeDir?: string;
  readonly paths?: Io['paths'];
  /** Width of the terminal, in columns. */
  readonly columns?: number;
  /** Locks that another process holds. */
  readonly locked?: readonly string[];
  /** What the clock says, in microseconds since 1970. */
  readonly now?: () => number;
};

/** A world in memory, with what was written to it. */
type MemoryIo = {
  readonly io: Io;
  readonly files: ReadonlyMap<string, string>;
  readonly modes: ReadonlyMap<string, number>;
  stdout(): string;
  stderr(): string;
};

class SystemError extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** A world in memory. Waits take no time; a path below `/readonly/` cannot be written. */
export function createMemoryIo(world: MemoryWorld = {}): MemoryIo {
  const files = new Map<string, string>();
  const modes = new Map<string, number>();
  const locks = new Set(world.locked ?? []);
  for (const [path, file] of Object.entries(world.files ?? {})) {
    files.set(path, typeof file === 'string' ? file : file.content);
    modes.set(path, typeof file === 'string' ? 0o600 : (file.mode ?? 0o600));
  }
  const get = <T>(map: ReadonlyMap<string, T>, path: string): T => {
    const found = map.get(path);
    if (found === undefined) throw new SystemError('ENOENT');
    return found;
  };
  const assertWritable = (path: string) => {
    if (path.startsWith('/readonly/')) throw new SystemError('EROFS');
  };
  const { stdin = '' } = world;
  const answers = world.answers === undefined ? undefined : [...world.answers];
  const stdout = createMemorySink(world);
  const stderr = createMemorySink(world);
  let elapsed = 0;

  const io: Io = {
    stdout: stdout.sink,
    stderr: stderr.sink,
    env: world.env ?? {},
    homeDir: world.homeDir ?? '/home/me',
    paths: world.paths ?? posix,
    fetch: world.fetch ?? fetch,
    wait: () => Promise.resolve(),
    readStdin: () => Promise.resolve(typeof stdin === 'string' ? new TextEncoder().encode(stdin) : stdin),
    askTerminal:
      answers === undefined
        ? undefined
        : (prompt, hidden) => {
            stderr.sink.write(`${prompt}${hidden ? '(hidden)' : ''}\n`);
            return Promise.resolve(answers.shift() ?? '');
          },
    now: world.now ?? (() => 1_763_629_200_000_000),
    elapsedMs: () => (elapsed += 600),
    files: {
      read: async (path) => Promise.resolve(new TextEncoder().encode(get(files, path))),
      // In pieces that end in the middle of characters and lines.
      readPieces: async function* (path) {
        const bytes = new TextEncoder().encode(get(files, path));
        for (let at = 0; at < bytes.length; at += 7) yield await Promise.resolve(bytes.subarray(at, at + 7));
      },
      mode: async (path) => Promise.resolve(get(modes, path)),
      write: async (path, content) => {
        assertWritable(path);
        files.set(path, toText(content));
        return Promise.resolve();
      },
      writePrivate: async (path, content) => {
        assertWritable(path);
        files.set(path, content);
        modes.set(path, 0o600);
        return Promise.resolve();
      },
      openReplacement: async (path) => {
        assertWritable(path);
        let draft = '';
        return Promise.resolve({
          append: async (content) => {
            draft += toText(content);
            return Promise.resolve();
          },
          commit: async () => {
            files.set(path, draft);
            return Promise.resolve();
          },
          abandon: () => Promise.resolve(),
        });
      },
      writeDurably: async (path, content) => {
        assertWritable(path);
        files.set(path, content);
        modes.set(path, 0o600);
        return Promise.resolve();
      },
      writeShared: async (path, content) => {
        assertWritable(path);
        files.set(path, toText(content));
        modes.set(path, 0o644);
        return Promise.resolve();
      },
      remove: async (path) => {
        get(files, path);
        files.delete(path);
        return Promise.resolve();
      },
      size: async (path) => Promise.resolve(files.has(path) ? get(files, path).length : undefined),
      writeFrom: async (path, offset, content) => {
        assertWritable(path);
        files.set(path, (files.get(path) ?? '').slice(0, offset) + content);
        return Promise.resolve();
      },
      list: async (folder) => {
        const names = [...files.keys()].flatMap((path) =>
          path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1)] : [],
        );
        if (names.length === 0) throw new SystemError('ENOENT');
        return Promise.resolve(names.filter((name) => !name.includes('/')).sort());
      },
      lock: async (path) => {
        if (locks.has(path)) return Promise.resolve(undefined);
        locks.add(path);
        return Promise.resolve({ release: () => void locks.delete(path) });
      },
    },
  };
  return { io, files, modes, stdout: stdout.text, stderr: stderr.text };
}

function createMemorySink({ isTerminal = false, columns }: MemoryWorld): { sink: Sink; text: () => string } {
  let written = '';
  const write = (text: string | Uint8Array) => {
    written += toText(text);
  };
  return { sink: { isTerminal, columns, write }, text: () => written };
}

function toText(content: string | Uint8Array): string {
  return typeof content === 'string' ? content : new TextDecoder('utf-8', { ignoreBOM: true }).decode(content);
}
