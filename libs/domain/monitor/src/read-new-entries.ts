import { parseEntry } from '@answer-evidence/commitments';
import type { MonitoredLog } from '@answer-evidence/contracts';
import { formatHex, formatTimestamp, parseHex, parseTimestamp } from '@answer-evidence/encoding';
import { appendLeaves, type Frontier, leafHash, TILE_WIDTH } from '@answer-evidence/merkle';
import type { Checkpoint } from '@answer-evidence/note';
import {
  compareTrees,
  LogOrder,
  OrderFaults,
  type PlacedEntry,
  readEntries,
  type ReadTlog,
  seedOf,
  type TileTree,
} from '@answer-evidence/verify';
import { CheckFailure } from '@answer-evidence/verify/verdict';
import { formatRows, type LeafMemory, readOrder } from './leaf-memory.ts';

/** Bundles that are read before they are proven and kept. */
const BUNDLES_AT_ONCE = 32;

// A byte order mark is part of what was hashed, and no entry begins with one.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads the entries from where the last reading ended, a few bundles at a time, up to the checkpoint or for as long as
 * `canGoOn`. Each time what was read is proven to be part of the checkpoint's tree, and in its place, and only then
 * kept. Throws `CheckFailure` for what is not, or is no entry. Where the places of earlier leaves are not kept, as by
 * an earlier version, the entries are read again from the first.
 */
export async function readNewEntries(
  log: MonitoredLog,
  checkpoint: Checkpoint,
  world: {
    readonly read: ReadTlog;
    readonly tiles: TileTree;
    readonly canGoOn: () => boolean;
    readonly keep: (log: MonitoredLog) => Promise<void>;
    readonly leaves: LeafMemory;
    /** Takes in the leaves that change the trust policy, of those that are read. */
    readonly policyChanges: number[];
  },
): Promise<MonitoredLog> {
  if (log.entries.tree_size === checkpoint.size && (await world.leaves.has(checkpoint.size))) return log;
  const seed = seedOf(checkpoint.root);
  const known = await readOrder(world.leaves, log.entries.tree_size, seed);
  const order = known ?? new LogOrder(seed);
  let reading: MonitoredLog = known === undefined ? { ...log, ...NOTHING_READ } : log;
  while (reading.entries.tree_size < checkpoint.size && world.canGoOn()) {
    const from = reading.entries.tree_size;
    const boundary = (Math.floor(from / TILE_WIDTH) + BUNDLES_AT_ONCE) * TILE_WIDTH;
    const to = Math.min(boundary, checkpoint.size);
    let frontier: Frontier = reading.entries.frontier.map((hash) => parseHex(hash));
    let root = checkpoint.root;
    const placed: PlacedEntry[] = [];
    for (let at = from; at < to;) {
      const entries = await readPiece(world.read, at, Math.min(to, (Math.floor(at / TILE_WIDTH) + 1) * TILE_WIDTH));
      ({ frontier, root } = appendLeaves(at, frontier, entries.map(leafHash)));
      placed.push(...entries.map((entry, n) => readPlaced(entry, at + n)));
      at += entries.length;
    }
    const comparison = await compareTrees({ origin: checkpoint.origin, size: to, root }, checkpoint, world.tiles);
    if (comparison.kind === 'fork')
      throw new CheckFailure(`the entries from leaf ${from} to ${to - 1} are not the leaves of the checkpoint's tree`);
    assertInOrder(order, placed);
    const ofType = (type: PlacedEntry['type']) => placed.flatMap((entry, n) => (entry.type === type ? [from + n] : []));
    world.policyChanges.push(...ofType('trust_policy_changed'));
    reading = {
      ...reading,
      entries: { tree_size: to, frontier: frontier.map(formatHex), ...lastTimeOf(placed) },
      key_changes: [...reading.key_changes, ...ofType('ledger_key_changed')],
      epochs: [...reading.epochs, ...ofType('epoch_opened')],
    };
    // The places first: of leaves that the state does not count they are overwritten, and it counts none without them.
    await world.leaves.write(from, formatRows(placed));
    await world.keep(reading);
  }
  return reading;
}

/** The entries from `from` up to `to`, which lie in one bundle. */
async function readPiece(read: ReadTlog, from: number, to: number): Promise<readonly Uint8Array[]> {
  const index = Math.floor(from / TILE_WIDTH);
  const entries = await readEntries(read, index, to - index * TILE_WIDTH);
  return entries.slice(from - index * TILE_WIDTH);
}

function lastTimeOf(placed: readonly PlacedEntry[]): { readonly last_at?: string } {
  const last = placed.at(-1);
  return last === undefined ? {} : { last_at: formatTimestamp(last.at) };
}

const NOTHING_READ: Pick<MonitoredLog, 'entries' | 'key_changes' | 'epochs'> = {
  entries: { tree_size: 0, frontier: [] },
  key_changes: [],
  epochs: [],
};

/** Throws `CheckFailure` unless each entry is in its place after those before it. */
function assertInOrder(order: LogOrder, entries: readonly PlacedEntry[]): void {
  const faults = new OrderFaults();
  for (const entry of entries) faults.add(order.add(entry));
  const fault = faults.describe();
  if (fault !== undefined) throw new CheckFailure(fault);
}

function readPlaced(bytes: Uint8Array, leafIndex: number): PlacedEntry {
  try {
    const entry = parseEntry(decoder.decode(bytes));
    return { ...entry, at: parseTimestamp(entry.at) };
  } catch {
    throw new CheckFailure(`leaf ${leafIndex} of the log is not an entry`);
  }
}
