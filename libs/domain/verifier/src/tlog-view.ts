import { appendLeaves, EMPTY_ROOT, formatTilePath, type Frontier, leafHash, TILE_WIDTH } from '@answer-evidence/merkle';
import { equalBytes } from '@answer-evidence/encoding';
import type { Checkpoint } from '@answer-evidence/note';
import { parseEntry } from '@answer-evidence/ledger';
import type { LogView } from './bundle-context.ts';
import { CheckFailure } from './verdict.ts';

/** Reads a resource of a log in C2SP tlog-tiles by its path, such as `tile/entries/000`; undefined when it is not there. */
export type ReadTlog = (path: string) => Promise<Uint8Array | undefined>;

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * The log below a checkpoint, from its entry bundles. Every entry is read, once, and hashed up to the checkpoint's root, so nothing
 * can be left out of it; what does not lead there makes the check that asks FAIL.
 */
export function createTlogView(read: ReadTlog, checkpoint: Checkpoint): LogView {
  let reading: Promise<readonly Uint8Array[]> | undefined;
  const entries = () => (reading ??= readLog(read, checkpoint));
  return {
    verified: 'tiles',
    async entriesNaming(subject, treeSize) {
      if (treeSize !== checkpoint.size) throw new CheckFailure('the log was read for another tree size');
      return (await entries()).flatMap((bytes, leafIndex) => {
        const entry = decoder.decode(bytes);
        return parseEntry(entry).subject === subject ? [{ leaf_index: leafIndex, entry }] : [];
      });
    },
    async entriesBelow(treeSize) {
      const below = (await entries()).slice(0, treeSize);
      if (below.length !== treeSize) throw new CheckFailure('the log was read for a smaller tree size');
      return below.map((bytes) => decoder.decode(bytes));
    },
    async rootAt(treeSize) {
      const leaves = (await entries()).slice(0, treeSize).map(leafHash);
      if (leaves.length !== treeSize) throw new CheckFailure('the log was read for a smaller tree size');
      return appendLeaves(0, [], leaves).root;
    },
  };
}

async function readLog(read: ReadTlog, { size, root }: Checkpoint): Promise<readonly Uint8Array[]> {
  const entries: Uint8Array[] = [];
  let grown: { readonly frontier: Frontier; readonly root: Uint8Array } = { frontier: [], root: EMPTY_ROOT };
  for (let from = 0; from < size; from += TILE_WIDTH) {
    const bundle = await readEntries(read, from / TILE_WIDTH, Math.min(TILE_WIDTH, size - from));
    grown = appendLeaves(from, grown.frontier, bundle.map(leafHash));
    entries.push(...bundle);
  }
  if (!equalBytes(grown.root, root))
    throw new CheckFailure('the entries of the given log do not lead to the root of the checkpoint');
  return entries;
}

/** The first `width` entries of a bundle; a mirror that has grown may hold only the full one. */
async function readEntries(read: ReadTlog, index: number, width: number): Promise<readonly Uint8Array[]> {
  const partial = width === TILE_WIDTH ? undefined : await read(formatTilePath('entries', index, width));
  const bundle = partial ?? (await read(formatTilePath('entries', index)));
  if (bundle === undefined) throw new CheckFailure(`the given log lacks ${formatTilePath('entries', index, width)}`);
  const entries: Uint8Array[] = [];
  for (let at = 0; at < bundle.length && entries.length < width;) {
    const size = ((bundle[at] ?? 0) << 8) | (bundle[at + 1] ?? 0);
    entries.push(bundle.subarray(at + 2, at + 2 + size));
    at += 2 + size;
  }
  if (entries.length !== width) throw new CheckFailure(`the given log has too few entries in bundle ${index}`);
  return entries;
}
