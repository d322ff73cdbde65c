import { concatBytes, equalBytes } from '@answer-evidence/encoding';
import { appendLeaves, formatTilePath, leafHash, nodeFromTile, TILE_WIDTH } from '@answer-evidence/merkle';
import type { Checkpoint } from '@answer-evidence/note';
import { readEntries, readTile, type ReadTlog } from './tlog-view.ts';
import { CheckFailure } from './verdict.ts';

/** A folder in the layout of C2SP tlog-tiles. What is written replaces a file whole, and is durable. */
export type TileFolder = {
  readonly read: ReadTlog;
  write(path: string, bytes: Uint8Array): Promise<void>;
};

/** What is copied: a log up to a checkpoint, whose signature somebody has verified. */
export type TileCopy = {
  readonly from: ReadTlog;
  readonly checkpoint: Checkpoint;
  /** The checkpoint that the folder has, of the same log; undefined for a new folder. */
  readonly earlier: Checkpoint | undefined;
  readonly folder: TileFolder;
  readonly onProgress?: (done: number, of: number) => void;
};

const HASH_BYTES = 32;

/**
 * Brings a folder up to a checkpoint: every tile of hashes and entries of its size. Each is verified to lead to the
 * root before it is written, and what the folder has and fits is not read again; so it can be stopped anywhere and
 * called again. Returns how many tiles of entries were read from the log. Rejects with `CheckFailure` for a log that
 * does not serve what it signed, or does not continue what the folder has.
 */
export async function copyTiles(copy: TileCopy): Promise<number> {
  const { from, checkpoint, folder } = copy;
  const full = Math.floor(checkpoint.size / TILE_WIDTH);
  const rest = checkpoint.size % TILE_WIDTH;
  const roots = await readHashes(from, 1, full);
  const last = rest === 0 ? [] : await readEntries(from, full, rest);
  const tree = treeOf(roots, last.map(leafHash));
  if (!equalBytes(tree, checkpoint.root)) throw new CheckFailure('the log does not lead to the root that it signed');
  await assertContinues(copy, roots, last);
  let read = rest === 0 ? 0 : 1;
  for (let index = 0; index < full; index++) {
    const root = roots[index] ?? new Uint8Array(0);
    const kept = await findKept(folder, index, root);
    const entries = kept ?? (await readVerified(from, index, root));
    if (kept === undefined) read++;
    await writeEntries(folder, index, entries, kept !== undefined);
    copy.onProgress?.(index + 1, full);
  }
  if (rest > 0) await writeEntries(folder, full, last, false);
  await writeHashes(folder, roots);
  return read;
}

/** The tree of full tiles of level 0, given by their roots, and of the leaves after them. */
function treeOf(roots: readonly Uint8Array[], leaves: readonly Uint8Array[]): Uint8Array {
  const { frontier } = appendLeaves(0, [], roots);
  return appendLeaves(roots.length * TILE_WIDTH, frontier, leaves).root;
}

async function assertContinues(
  { from, checkpoint, earlier }: TileCopy,
  roots: readonly Uint8Array[],
  last: readonly Uint8Array[],
): Promise<void> {
  if (earlier === undefined) return;
  if (earlier.size > checkpoint.size)
    throw new CheckFailure(
      `the log shows ${checkpoint.size} leaves, and the folder has ${earlier.size} that it signed: it was rolled back`,
    );
  const full = Math.floor(earlier.size / TILE_WIDTH);
  const rest = earlier.size % TILE_WIDTH;
  const entries = rest === 0 ? [] : full < roots.length ? await readVerified(from, full, roots[full]) : last;
  const tree = treeOf(roots.slice(0, full), entries.slice(0, rest).map(leafHash));
  if (!equalBytes(tree, earlier.root))
    throw new CheckFailure('the log does not continue the checkpoint of the folder: it signed two histories');
}

/** The entries of a full tile that leads to a root. */
async function readVerified(
  read: ReadTlog,
  index: number,
  root: Uint8Array | undefined,
): Promise<readonly Uint8Array[]> {
  const entries = await readEntries(read, index, TILE_WIDTH);
  if (root === undefined || !equalBytes(nodeFromTile(entries.map(leafHash)), root))
    throw new CheckFailure(`${formatTilePath('entries', index)} of the log does not lead to the root that it signed`);
  return entries;
}

/** What the folder has of a full tile, if that leads to the root. */
async function findKept(
  folder: TileFolder,
  index: number,
  root: Uint8Array,
): Promise<readonly Uint8Array[] | undefined> {
  const bytes = await folder.read(formatTilePath('entries', index));
  if (bytes === undefined) return undefined;
  try {
    return await readVerified(() => Promise.resolve(bytes), index, root);
  } catch (error) {
    if (error instanceof CheckFailure) return undefined;
    throw error;
  }
}

async function writeEntries(
  folder: TileFolder,
  index: number,
  entries: readonly Uint8Array[],
  isKept: boolean,
): Promise<void> {
  if (!isKept) {
    const parts = entries.flatMap((entry) => [Uint8Array.of(entry.length >> 8, entry.length & 0xff), entry]);
    await folder.write(formatTilePath('entries', index, entries.length), concatBytes(...parts));
  }
  await writeChanged(folder, formatTilePath(0, index, entries.length), concatBytes(...entries.map(leafHash)));
}

/** The tiles of level 1 and above, out of the hashes of level 1. */
async function writeHashes(folder: TileFolder, roots: readonly Uint8Array[]): Promise<void> {
  let hashes = roots;
  for (let level = 1; hashes.length > 0; level++) {
    const above: Uint8Array[] = [];
    for (let from = 0; from < hashes.length; from += TILE_WIDTH) {
      const own = hashes.slice(from, from + TILE_WIDTH);
      await writeChanged(folder, formatTilePath(level, from / TILE_WIDTH, own.length), concatBytes(...own));
      if (own.length === TILE_WIDTH) above.push(nodeFromTile(own));
    }
    hashes = above;
  }
}

async function writeChanged(folder: TileFolder, path: string, bytes: Uint8Array): Promise<void> {
  const kept = await folder.read(path);
  if (kept === undefined || !equalBytes(kept, bytes)) await folder.write(path, bytes);
}

/** The first hashes of a level. */
async function readHashes(read: ReadTlog, level: number, count: number): Promise<readonly Uint8Array[]> {
  const hashes: Uint8Array[] = [];
  for (let from = 0; from < count; from += TILE_WIDTH) {
    const width = Math.min(TILE_WIDTH, count - from);
    const tile = await readTile(read, level, from / TILE_WIDTH, width);
    if (tile === undefined || tile.length < width * HASH_BYTES)
      throw new CheckFailure(`the log lacks ${formatTilePath(level, from / TILE_WIDTH, width)}`);
    for (let n = 0; n < width; n++) hashes.push(tile.slice(n * HASH_BYTES, (n + 1) * HASH_BYTES));
  }
  return hashes;
}
