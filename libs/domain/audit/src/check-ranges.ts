import { formatHex } from '@answer-evidence/encoding';
import type { LogWalk } from './check-leaves.ts';
import { type CheckedRange, checkRange } from './check-range.ts';
import { type Findings, FINDINGS_LISTED_MAX } from './findings.ts';
import { inOrder } from './in-order.ts';
import type { LeafRange, LedgerReader } from './ledger-reader.ts';
import type { SettingsChange } from './settings-series.ts';

/** How many leaves make a block: it is checked by one process, and known or not as a whole. */
const BLOCK_LEAVES = 16_384;

/** How a check goes about ranges. */
export type RangeOptions = {
  /** Checks ranges elsewhere, several at once; as `checkRange` does. */
  readonly ranges?: {
    readonly atOnce: number;
    readonly check: (range: LeafRange, settings: readonly SettingsChange[]) => Promise<CheckedRange>;
  };
  /** What an earlier check that was interrupted has found in blocks of the same log, or another process finds now. */
  readonly progress?: CheckProgress;
  readonly blockLeaves?: number;
};

/** Keeps what was found in blocks, so that a check that was interrupted goes on where it ended. */
export interface CheckProgress {
  /** The log as it was when blocks were first kept. Undefined if none is. */
  readonly before: LogSeen | undefined;
  /**
   * Begins, with the log as it is now. Unless it `isSame`, so holds the one that was seen before, all is forgotten.
   * Gives the size of the log from which on the leaves are new to what is kept.
   */
  begin(log: LogSeen, isSame: boolean): Promise<number>;
  /** What was found in a block. */
  find(block: LeafRange): Promise<CheckedRange | undefined>;
  keep(checked: CheckedRange): Promise<void>;
  /**
   * Takes a block before others do; what is given lets it go. Undefined: another process is at it, unless this is to
   * wait until it is not.
   */
  claim(block: LeafRange, wait: boolean): Promise<(() => Promise<void>) | undefined>;
}

/** A log by its size and root. */
type LogSeen = { readonly treeSize: number; readonly rootHash: string };

/** A piece of a block; the last one has no range. A block that is not kept belongs to this check alone. */
type Piece = { readonly block: Block; readonly range?: LeafRange };
type Block = LeafRange & { known?: CheckedRange; readonly isKept: boolean; readonly release?: () => Promise<void> };

type How = RangeOptions & {
  /** The leaves before this one are not gone through, unless a later one speaks of the same. */
  readonly begin: number;
  readonly onProgress?: (part: 'rows', done: number) => void;
};

/** What hangs on the leaves and can be checked range by range. The findings are added in the order of the log. */
export async function checkRanges(reader: LedgerReader, walk: LogWalk, findings: Findings, how: How): Promise<void> {
  const check = how.ranges?.check ?? ((range, changes) => checkRange(range, changes, reader, findings.turn));
  const found = new Map<number, CheckedRange>();
  const open = new Set<Block>();
  let done = how.begin;
  const run = async (piece: Piece) => ({
    piece,
    checked: piece.range === undefined ? piece.block.known : await check(piece.range, walk.settings.changes),
  });
  const goThrough = async (pieces: AsyncIterable<Piece>) => {
    for await (const { piece, checked } of inOrder(pieces, how.ranges?.atOnce ?? 1, run)) {
      const { block, range } = piece;
      if (checked !== undefined) found.set(block.from, joinChecked(block, found.get(block.from), checked));
      if (range === undefined) await end(block, open, how.progress, found.get(block.from));
      if (checked !== undefined && block.to > how.begin) done += checked.to - checked.from;
      how.onProgress?.('rows', done);
    }
  };
  const place = { check: 'leaf', object: 'the rows of leaves', leafIndex: null };
  await findings.guard(place, async () => {
    try {
      const listing: Listing = { ...how, newSize: await begin(walk, how), open, later: [] };
      await goThrough(listPieces(reader, walk, listing));
      // Nothing is held meanwhile that the other process could wait for.
      for (const block of listing.later) await goThrough(piecesOfClaimed(reader, block, listing, true));
    } finally {
      for (const { release } of open) await release?.();
      for (const one of [...found.values()].toSorted((a, b) => a.from - b.from)) findings.take(one);
    }
  });
}

async function begin({ rootBefore, tree }: LogWalk, { progress }: How): Promise<number> {
  const isSame = rootBefore !== undefined && rootBefore === progress?.before?.rootHash;
  const log = { treeSize: tree.size, rootHash: formatHex(tree.root()) };
  return (await progress?.begin(log, isSame)) ?? tree.size;
}

/** A block was gone through. */
async function end(
  block: Block,
  open: Set<Block>,
  progress: CheckProgress | undefined,
  checked: CheckedRange = { ...rangeOf(block), total: 0, findings: [] },
): Promise<void> {
  if (block.known === undefined && block.isKept) await progress?.keep({ ...checked, ...rangeOf(block) });
  open.delete(block);
  await block.release?.();
}

/** `later` are the blocks that another process is at. */
type Listing = How & { readonly newSize: number; readonly open: Set<Block>; readonly later: LeafRange[] };

/** The pieces of all blocks that no other process is at. */
async function* listPieces(reader: LedgerReader, { tree, end: last }: LogWalk, how: Listing): AsyncGenerator<Piece> {
  const { begin: first, blockLeaves = BLOCK_LEAVES, newSize } = how;
  if (first > 0) {
    const spoken: Block = { from: 0, to: first, isKept: false };
    for await (const range of reader.rangesSpokenOf(first)) yield { block: spoken, range };
    yield { block: spoken };
  }
  const size = Math.min(tree.size, newSize);
  let from = first;
  while (from < size) {
    const to = Math.min(size, from - (from % blockLeaves) + blockLeaves);
    yield* piecesOfClaimed(reader, { from, to }, how, false);
    from = to;
  }
  // The leaves that are new to what is kept; and what an altered index of a leaf may be has no bound.
  if (last > from) yield* piecesOf(reader, { from, to: Number.MAX_SAFE_INTEGER, isKept: false });
}

/** The pieces of a block; of one that another process is at, none unless this is to wait for it. */
async function* piecesOfClaimed(
  reader: LedgerReader,
  range: LeafRange,
  { newSize, open, later, progress }: Listing,
  wait: boolean,
): AsyncGenerator<Piece> {
  if (progress === undefined) {
    yield* piecesOf(reader, { ...range, isKept: false });
    return;
  }
  const release = await progress.claim(range, wait);
  if (release === undefined) {
    later.push(range);
    return;
  }
  const block: Block = { ...range, release, isKept: true };
  open.add(block);
  const known = await progress.find(range);
  // A new event or expiry changes what has to be stored of an old record.
  const isKnown = known !== undefined && !(await reader.isAboutRange(range, newSize));
  yield* piecesOf(reader, isKnown ? Object.assign(block, { known }) : block);
}

async function* piecesOf(reader: LedgerReader, block: Block): AsyncGenerator<Piece> {
  if (block.known === undefined) for await (const range of reader.ranges(rangeOf(block))) yield { block, range };
  yield { block };
}

function rangeOf({ from, to }: LeafRange): LeafRange {
  return { from, to };
}

function joinChecked(block: LeafRange, before: CheckedRange | undefined, more: CheckedRange): CheckedRange {
  return {
    ...rangeOf(block),
    total: (before?.total ?? 0) + more.total,
    findings: [...(before?.findings ?? []), ...more.findings].slice(0, FINDINGS_LISTED_MAX),
  };
}
