import type { PlatformPath } from 'node:path';

/** A stream that people or programs read. */
export type Sink = {
  readonly isTerminal: boolean;
  /** Width of the terminal, in columns. */
  readonly columns?: number | undefined;
  write(text: string | Uint8Array): void;
};

/** The files that a command names. Every method throws an error of the system, with its `code`. */
export type Files = {
  read(path: string): Promise<Uint8Array>;
  /** The file piece by piece, for what may be large. */
  readPieces(path: string): AsyncIterable<Uint8Array>;
  /** Permission bits of a file, and undefined where the system has none. */
  mode(path: string): Promise<number | undefined>;
  /** Replaces the file whole, or leaves it as it was. */
  write(path: string, content: string | Uint8Array): Promise<void>;
  /** The same for a file that only its owner may read, in folders that are made when they are missing. */
  writePrivate(path: string, content: string): Promise<void>;
  /** Opens a new file beside `path`, which takes its place on `commit` and vanishes on `abandon`. */
  openReplacement(path: string): Promise<Replacement>;
  /** The same as `writePrivate`, and on the disk when it returns: after a crash the file is the old or the new one. */
  writeDurably(path: string, content: string): Promise<void>;
  /** Replaces the file whole, on the disk, for everybody to read, in folders that are made when they are missing. */
  writeShared(path: string, content: Uint8Array): Promise<void>;
  /** Removes a file. */
  remove(path: string): Promise<void>;
  /** The size of a file in bytes; undefined where there is none. */
  size(path: string): Promise<number | undefined>;
  /** Ends a file at `offset` and appends to it there; it is made, for its owner alone. On the disk when it returns. */
  writeFrom(path: string, offset: number, content: string): Promise<void>;
  /** Names of the files in a folder, sorted. */
  list(folder: string): Promise<readonly string[]>;
  /** The lock of this name, until it is released or the process ends, however it ends; undefined: another has it. */
  lock(path: string): Promise<FileLock | undefined>;
};

/** A lock that is held. */
export type FileLock = { release(): void };

/** A file in the making. */
type Replacement = {
  append(content: Uint8Array): Promise<void>;
  commit(): Promise<void>;
  abandon(): Promise<void>;
};

/** The world as commands see it. */
export type Io = {
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeDir: string;
  /** How paths are written on this system. */
  readonly paths: Pick<PlatformPath, 'join' | 'basename'>;
  readonly files: Files;
  readonly fetch: typeof fetch;
  readStdin(): Promise<Uint8Array>;
  /** Asks for a line on the terminal; undefined when standard input is not one. `hidden` turns the echo off. */
  readonly askTerminal: ((prompt: string, hidden: boolean) => Promise<string>) | undefined;
  /** Microseconds since 1970. */
  now(): number;
  /** Milliseconds that only ever grow, for progress. */
  elapsedMs(): number;
  /** Waits between attempts; default: real time. */
  readonly wait?: (ms: number) => Promise<void>;
};

/** Waits in the world's own time. */
export function waitFor({ wait }: Pick<Io, 'wait'>, ms: number): Promise<void> {
  return wait === undefined ? new Promise((resolve) => setTimeout(resolve, ms)) : wait(ms);
}
