import { setTimeout } from 'node:timers/promises';
import { Gauge, type Registry } from 'prom-client';
import { readSpace, type Space } from '@answer-evidence/filesystem';
import type { Ticker } from '@answer-evidence/ports';
import type { WrittenFolder } from '../ground/bare-folders.ts';

const INTERVAL_MS = 15_000;
/** How long a folder may take to answer, so that one on a network file system that hangs delays nothing else. */
const PATIENCE_MS = 1_000;
/** Each one that hangs holds a thread of the few that all file work of the process shares. */
const SILENT_MAX = 2;
const MIB = 1 << 20;
const LOW_BYTES = 1_024 * MIB;
const LOW_PART = 0.1;

/** Folders on one file system, and the room that they share. */
export type SharedSpace = {
  /** Their names; the first stands for all. */
  readonly folders: readonly string[];
  readonly path: string;
  readonly freeBytes: number;
  /** Below so many free bytes it is short. */
  readonly lowBytes: number;
  /** What there is, and what to do where it is short. */
  readonly text: string;
};

/** What this process last saw of the room in the folders that it writes to. */
export class FolderWatch {
  readonly #folders: readonly WrittenFolder[];
  readonly #read: (path: string) => Promise<Space>;
  readonly #seen = new Map<WrittenFolder, Space>();
  readonly #silent = new Set<WrittenFolder>();

  constructor(folders: readonly WrittenFolder[], read = readSpace) {
    this.#folders = folders;
    this.#read = read;
  }

  /** Looks at each folder, in seconds at most, and says which have become short since the look before. */
  async look(): Promise<readonly string[]> {
    const before = new Set(this.short.flatMap(({ folders }) => folders));
    for (const folder of this.#folders) {
      if (this.#silent.has(folder)) continue;
      if (this.#silent.size >= SILENT_MAX) break;
      const late = setTimeout(PATIENCE_MS, 'late' as const, { ref: false });
      if ((await Promise.race([this.#lookAt(folder), late])) !== 'late') continue;
      this.#silent.add(folder);
      this.#seen.delete(folder);
    }
    return this.short.filter(({ folders }) => !folders.some((name) => before.has(name))).map(({ text }) => text);
  }

  async #lookAt(folder: WrittenFolder): Promise<void> {
    try {
      this.#seen.set(folder, await this.#read(folder.path));
    } catch {
      this.#seen.delete(folder);
    } finally {
      this.#silent.delete(folder);
    }
  }

  /** One of each file system. */
  get spaces(): readonly SharedSpace[] {
    const seen = this.#folders.flatMap((folder) => {
      const space = this.#seen.get(folder);
      return space === undefined ? [] : [{ folder, space }];
    });
    return [...Map.groupBy(seen, ({ space }) => space.fileSystem).values()].map(shareOf);
  }

  get short(): readonly SharedSpace[] {
    return this.spaces.filter(({ freeBytes, lowBytes }) => freeBytes < lowBytes);
  }

  /** Names of folders whose file system does not answer. */
  get silent(): readonly string[] {
    return [...this.#silent].map(({ name }) => name);
  }

  ticker(onShort: (sentence: string) => void): Ticker {
    return {
      name: 'look-at-folders',
      intervalMs: INTERVAL_MS,
      run: async () => {
        for (const sentence of await this.look()) onShort(sentence);
      },
    };
  }

  register(registry: Registry): void {
    this.#gauge(
      registry,
      'folder_free_bytes',
      'Free bytes of the folders that this process writes to; those on one file system count as the first.',
      ({ freeBytes }) => freeBytes,
    );
    this.#gauge(
      registry,
      'folder_low_bytes',
      'Free bytes below which a folder is short of space.',
      ({ lowBytes }) => lowBytes,
    );
  }

  #gauge(registry: Registry, name: string, help: string, valueOf: (space: SharedSpace) => number): void {
    const spaces = () => this.spaces;
    new Gauge({
      name,
      help,
      labelNames: ['folder'],
      registers: [registry],
      collect() {
        this.reset();
        for (const space of spaces()) this.set({ folder: space.folders[0] ?? '' }, valueOf(space));
      },
    });
  }
}

type Seen = { readonly folder: WrittenFolder; readonly space: Space };

function shareOf(all: readonly Seen[]): SharedSpace {
  const [first] = all;
  if (first === undefined) throw new Error('a file system is known by a folder on it');
  const { path, setting } = first.folder;
  const { freeBytes, sizeBytes } = first.space;
  const folders = all.map(({ folder }) => folder.name);
  const lowBytes = Math.min(LOW_BYTES, Math.ceil(sizeBytes * LOW_PART));
  const has = `${path} (${folders.join(', ')}) has ${mib(freeBytes)} free of ${mib(sizeBytes)}`;
  const advice = `less than ${mib(lowBytes)}: free space there, enlarge the file system, or set ${setting} to another place`;
  return { folders, path, freeBytes, lowBytes, text: freeBytes < lowBytes ? `${has}, ${advice}` : has };
}

function mib(bytes: number): string {
  return `${(bytes / MIB).toFixed(bytes < MIB ? 1 : 0)} MiB`;
}
