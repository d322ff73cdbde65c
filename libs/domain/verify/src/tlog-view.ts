import { equalBytes, parseTimestamp } from '@answer-evidence/encoding';
import { appendLeaves, EMPTY_ROOT, formatTilePath, type Frontier, leafHash, TILE_WIDTH } from '@answer-evidence/merkle';
import type { Checkpoint } from '@answer-evidence/note';
import { readEntry } from './bundle-context.ts';
import type { PlacedEntry } from './order/entry-kinds.ts';
import { LogOrder, OrderFaults, seedOf } from './order/log-order.ts';
import type { YoungestLeaf } from './stated-times.ts';
import { CheckFailure } from './verdict.ts';
import type { LogGap, LogView, OrderReport, ProvenLeaf } from './verify-options.ts';

/** Reads a resource of a C2SP tlog-tiles log, such as `tile/entries/000`; undefined when it is missing. */
export type ReadTlog = (path: string) => Promise<Uint8Array | undefined>;

/** Size of a hash in a tile. */
export const HASH_BYTES = 32;

// A byte order mark is part of what was hashed, and no entry begins with one.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The log below a checkpoint from its entry bundles, each hashed up to the root once. A copy may lack bundles: their
 * leaves are a gap, and the hash tile of level 0 stands in for them up to the root. What is there and does not fit, or
 * does not lead to the root, makes the asking check FAIL.
 */
export function createTlogView(read: ReadTlog, checkpoint: Checkpoint): LogView {
  let reading: Promise<LogCopy> | undefined;
  const copy = () => (reading ??= readLog(read, checkpoint));
  let indexing: Promise<LogIndex> | undefined;
  // Once for all subjects: a record with its assets asks for hundreds of them.
  const index = () => (indexing ??= copy().then(({ entries }) => indexEntries(entries)));
  const below = async (treeSize: number): Promise<LogCopy> => {
    if (treeSize > checkpoint.size) throw new CheckFailure('the log was read for a smaller tree size');
    const { entries, hashes, gaps } = await copy();
    return {
      entries: entries.slice(0, treeSize),
      hashes: hashes.slice(0, treeSize),
      gaps: gaps.filter(({ from }) => from < treeSize),
    };
  };
  return {
    verified: 'tiles',
    async entriesNaming(subject, treeSize) {
      if (treeSize !== checkpoint.size) throw new CheckFailure('the log was read for another tree size');
      const { entries } = await copy();
      const places = (await index()).subjects.get(subject) ?? [];
      return places.flatMap((leafIndex) => {
        const entry = entries[leafIndex];
        return entry === undefined ? [] : [{ leaf_index: leafIndex, entry: readText(entry, leafIndex) }];
      });
    },
    async orderBelow(treeSize, shown) {
      if (treeSize !== checkpoint.size) throw new CheckFailure('the log was read for another tree size');
      return judgeOrder((await index()).placed, shown, checkpoint);
    },
    async youngestBelow(treeSize) {
      if (treeSize !== checkpoint.size) throw new CheckFailure('the log was read for another tree size');
      return (await index()).youngest;
    },
    async entriesBelow(treeSize) {
      const { entries } = await below(treeSize);
      return entries.map((entry, leafIndex) => (entry === undefined ? undefined : readText(entry, leafIndex)));
    },
    async rootAt(treeSize) {
      return rootOf((await below(treeSize)).hashes);
    },
    async gapsBelow(treeSize) {
      return (await below(treeSize)).gaps;
    },
  };
}

/** A log as far as its copy has it: entries and leaf hashes by index, undefined where the copy lacks them. */
type LogCopy = {
  readonly entries: readonly (Uint8Array | undefined)[];
  readonly hashes: readonly (Uint8Array | undefined)[];
  readonly gaps: readonly LogGap[];
};

async function readLog(read: ReadTlog, { size, root }: Checkpoint): Promise<LogCopy> {
  const entries: (Uint8Array | undefined)[] = [];
  const hashes: (Uint8Array | undefined)[] = [];
  const gaps: LogGap[] = [];
  for (let from = 0; from < size; from += TILE_WIDTH) {
    const to = Math.min(from + TILE_WIDTH, size);
    const [index, width] = [from / TILE_WIDTH, to - from];
    const bundle = await findEntries(read, index, width);
    if (bundle === undefined) gaps.push({ from, to, path: formatTilePath('entries', index, width) });
    entries.push(...(bundle ?? nothing(width)));
    hashes.push(...(bundle?.map(leafHash) ?? (await findHashes(read, index, width)) ?? nothing(width)));
  }
  const found = rootOf(hashes);
  if (found === undefined) await assertTilesAgree(read, hashes, gaps);
  else if (!equalBytes(found, root))
    throw new CheckFailure('the entries of the given log do not produce the root of the checkpoint');
  return { entries, hashes, gaps };
}

/** Where nothing leads to the root, each bundle of entries still has to agree with the hash tile beside it. */
async function assertTilesAgree(read: ReadTlog, hashes: LogCopy['hashes'], gaps: readonly LogGap[]): Promise<void> {
  for (let from = 0; from < hashes.length; from += TILE_WIDTH) {
    if (gaps.some((gap) => gap.from === from)) continue;
    const ofEntries = hashes.slice(from, from + TILE_WIDTH);
    const tile = await findHashes(read, from / TILE_WIDTH, ofEntries.length);
    if (tile?.every((hash, n) => equalBytes(hash, ofEntries[n] ?? EMPTY_ROOT)) === false)
      throw new CheckFailure(`the entries and hashes of bundle ${from / TILE_WIDTH} of the given log differ`);
  }
}

function nothing(width: number): readonly undefined[] {
  return Array.from({ length: width }, () => undefined);
}

/** Undefined when a hash is missing. A tile's width at a time, since appending makes the proofs of all at once. */
function rootOf(hashes: readonly (Uint8Array | undefined)[]): Uint8Array | undefined {
  let grown: { readonly frontier: Frontier; readonly root: Uint8Array } = { frontier: [], root: EMPTY_ROOT };
  for (let from = 0; from < hashes.length; from += TILE_WIDTH) {
    const tile = hashes.slice(from, from + TILE_WIDTH).filter((hash) => hash !== undefined);
    if (tile.length < Math.min(TILE_WIDTH, hashes.length - from)) return undefined;
    grown = appendLeaves(from, grown.frontier, tile);
  }
  return grown.root;
}

/** The first `width` leaf hashes of a tile; undefined when the copy lacks it. */
async function findHashes(read: ReadTlog, index: number, width: number): Promise<readonly Uint8Array[] | undefined> {
  const tile = await readTile(read, 0, index, width);
  if (tile === undefined) return undefined;
  if (tile.length < width * HASH_BYTES || tile.length % HASH_BYTES !== 0)
    throw new CheckFailure(`the given log is truncated inside ${formatTilePath(0, index, width)}`);
  return Array.from({ length: width }, (_, n) => tile.slice(n * HASH_BYTES, (n + 1) * HASH_BYTES));
}

/** What the entries of a log say: each by its index, the places of all of them by subject, and the youngest. */
type LogIndex = {
  readonly placed: readonly (PlacedEntry | undefined)[];
  readonly subjects: ReadonlyMap<string, readonly number[]>;
  readonly youngest: YoungestLeaf | undefined;
};

/** Reads every entry once. A leaf that is no entry could be about anything, so it fails the log. */
function indexEntries(entries: LogCopy['entries']): LogIndex {
  const subjects = new Map<string, number[]>();
  const placed: (PlacedEntry | undefined)[] = [];
  let youngest: YoungestLeaf | undefined;
  entries.forEach((bytes, leafIndex) => {
    if (bytes === undefined) {
      placed.push(undefined);
      return;
    }
    const entry = place({ name: `leaf ${leafIndex} of the log`, entry: readText(bytes, leafIndex) });
    placed.push(entry);
    if (youngest === undefined || entry.at > youngest.at) youngest = { name: `leaf ${leafIndex}`, at: entry.at };
    const places = subjects.get(entry.subject);
    if (places === undefined) subjects.set(entry.subject, [leafIndex]);
    else places.push(leafIndex);
  });
  return { placed, subjects, youngest };
}

function place(leaf: { readonly name: string; readonly entry: string }): PlacedEntry {
  const { type, id, subject, seq, at } = readEntry(leaf);
  return { type, id, subject, seq, at: parseTimestamp(at) };
}

/** Reads all leaves in their order; where the copy lacks one that the evidence shows, that one stands for it. */
function judgeOrder(placed: LogIndex['placed'], shown: readonly ProvenLeaf[], { root }: Checkpoint): OrderReport {
  const proven = new Map(shown.map((leaf) => [leaf.leaf_index, leaf]));
  const order = new LogOrder(seedOf(root));
  const faults = new OrderFaults();
  let read = 0;
  placed.forEach((held, leafIndex) => {
    const leaf = proven.get(leafIndex);
    const entry = held ?? (leaf === undefined ? undefined : place(leaf));
    if (entry === undefined) return order.skip(1);
    faults.add(order.add(entry));
    read += 1;
  });
  return { read: `${read} leaves of the log`, disorder: faults.describe() };
}

function readText(bytes: Uint8Array, leafIndex: number): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new CheckFailure(`leaf ${leafIndex} of the log is not UTF-8 text`);
  }
}

/** The first `width` entries of a bundle. Throws `CheckFailure`. What the entries hash to is not looked at. */
export async function readEntries(read: ReadTlog, index: number, width: number): Promise<readonly Uint8Array[]> {
  const entries = await findEntries(read, index, width);
  if (entries === undefined) throw new CheckFailure(`the given log lacks ${formatTilePath('entries', index, width)}`);
  return entries;
}

async function findEntries(read: ReadTlog, index: number, width: number): Promise<readonly Uint8Array[] | undefined> {
  const bundle = await readTile(read, 'entries', index, width);
  if (bundle === undefined) return undefined;
  const entries: Uint8Array[] = [];
  for (let at = 0; at < bundle.length && entries.length < width;) {
    const size = ((bundle[at] ?? 0) << 8) | (bundle[at + 1] ?? 0);
    if (at + 2 + size > bundle.length)
      throw new CheckFailure(`the given log is truncated inside an entry of bundle ${index}`);
    entries.push(bundle.subarray(at + 2, at + 2 + size));
    at += 2 + size;
  }
  if (entries.length !== width) throw new CheckFailure(`the given log has too few entries in bundle ${index}`);
  return entries;
}

/** A tile with at least its first `width` parts; a mirror that has grown may hold only the full one. */
export async function readTile(
  read: ReadTlog,
  level: number | 'entries',
  index: number,
  width: number,
): Promise<Uint8Array | undefined> {
  const partial = width === TILE_WIDTH ? undefined : await read(formatTilePath(level, index, width));
  return partial ?? (await read(formatTilePath(level, index)));
}
