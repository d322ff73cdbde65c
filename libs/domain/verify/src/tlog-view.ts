import { equalBytes } from '@answer-evidence/encoding';
import { appendLeaves, EMPTY_ROOT, formatTilePath, type Frontier, leafHash, TILE_WIDTH } from '@answer-evidence/merkle';
import type { Checkpoint } from '@answer-evidence/note';
import { type LogView, readEntry } from './bundle-context.ts';
import { CheckFailure } from './verdict.ts';

/** Reads a resource of a C2SP tlog-tiles log, such as `tile/entries/000`; undefined when it is missing. */
export type ReadTlog = (path: string) => Promise<Uint8Array | undefined>;

// A byte order mark is part of what was hashed, and no entry begins with one.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The log below a checkpoint from its entry bundles, each hashed up to the root once; else the asking check FAILs. */
export function createTlogView(read: ReadTlog, checkpoint: Checkpoint): LogView {
  let reading: Promise<readonly Uint8Array[]> | undefined;
  const entries = () => (reading ??= readLog(read, checkpoint));
  let indexing: Promise<ReadonlyMap<string, readonly number[]>> | undefined;
  // Once for all subjects: a record with its assets asks for hundreds of them.
  const index = () => (indexing ??= entries().then(indexSubjects));
  const entriesUpTo = async (treeSize: number): Promise<readonly Uint8Array[]> => {
    const below = (await entries()).slice(0, treeSize);
    if (below.length !== treeSize) throw new CheckFailure('the log was read for a smaller tree size');
    return below;
  };
  return {
    verified: 'tiles',
    async entriesNaming(subject, treeSize) {
      if (treeSize !== checkpoint.size) throw new CheckFailure('the log was read for another tree size');
      const all = await entries();
      const places = (await index()).get(subject) ?? [];
      return places.map((leafIndex) => ({ leaf_index: leafIndex, entry: readText(all[leafIndex], leafIndex) }));
    },
    async entriesBelow(treeSize) {
      return (await entriesUpTo(treeSize)).map(readText);
    },
    async rootAt(treeSize) {
      return growTree(await entriesUpTo(treeSize)).root;
    },
  };
}

type Tree = { readonly frontier: Frontier; readonly root: Uint8Array };
const EMPTY_TREE: Tree = { frontier: [], root: EMPTY_ROOT };

async function readLog(read: ReadTlog, { size, root }: Checkpoint): Promise<readonly Uint8Array[]> {
  const entries: Uint8Array[] = [];
  let grown = EMPTY_TREE;
  for (let from = 0; from < size; from += TILE_WIDTH) {
    const bundle = await readEntries(read, from / TILE_WIDTH, Math.min(TILE_WIDTH, size - from));
    grown = appendLeaves(from, grown.frontier, bundle.map(leafHash));
    entries.push(...bundle);
  }
  if (!equalBytes(grown.root, root))
    throw new CheckFailure('the entries of the given log do not produce the root of the checkpoint');
  return entries;
}

/** A tile's width at a time, since appending makes the proofs of all that is appended at once. */
function growTree(entries: readonly Uint8Array[]): Tree {
  let grown = EMPTY_TREE;
  for (let from = 0; from < entries.length; from += TILE_WIDTH)
    grown = appendLeaves(from, grown.frontier, entries.slice(from, from + TILE_WIDTH).map(leafHash));
  return grown;
}

/** The places of all entries by subject. A leaf that is no entry could be about anything, so it fails the log. */
function indexSubjects(entries: readonly Uint8Array[]): ReadonlyMap<string, readonly number[]> {
  const index = new Map<string, number[]>();
  entries.forEach((bytes, leafIndex) => {
    const { subject } = readEntry({ name: `leaf ${leafIndex} of the log`, entry: readText(bytes, leafIndex) });
    const places = index.get(subject);
    if (places === undefined) index.set(subject, [leafIndex]);
    else places.push(leafIndex);
  });
  return index;
}

function readText(bytes: Uint8Array | undefined, leafIndex: number): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new CheckFailure(`leaf ${leafIndex} of the log is not UTF-8 text`);
  }
}

/**
 * The first `width` entries of a bundle; a mirror that has grown may hold only the full one. Throws `CheckFailure`.
 * What the entries hash to is not looked at.
 */
export async function readEntries(read: ReadTlog, index: number, width: number): Promise<readonly Uint8Array[]> {
  const partial = width === TILE_WIDTH ? undefined : await read(formatTilePath('entries', index, width));
  const bundle = partial ?? (await read(formatTilePath('entries', index)));
  if (bundle === undefined) throw new CheckFailure(`the given log lacks ${formatTilePath('entries', index, width)}`);
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
