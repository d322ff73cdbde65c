import { parseEntry } from '@answer-evidence/commitments';
import type { EntryType, MonitoredLog } from '@answer-evidence/contracts';
import { formatHex, parseHex } from '@answer-evidence/encoding';
import { appendLeaves, type Frontier, leafHash, TILE_WIDTH } from '@answer-evidence/merkle';
import type { Checkpoint } from '@answer-evidence/note';
import { compareTrees, readEntries, type ReadTlog, type TileTree } from '@answer-evidence/verify';
import { CheckFailure } from '@answer-evidence/verify/verdict';

/** Bundles that are read before they are proven and kept. */
const BUNDLES_AT_ONCE = 32;

// A byte order mark is part of what was hashed, and no entry begins with one.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads the entries from where the last reading ended, a few bundles at a time, up to the checkpoint or for as long as
 * `canGoOn`. Each time what was read is proven to be part of the checkpoint's tree, and only then kept. Throws
 * `CheckFailure` for what is not, or is no entry.
 */
export async function readNewEntries(
  log: MonitoredLog,
  checkpoint: Checkpoint,
  world: {
    readonly read: ReadTlog;
    readonly tiles: TileTree;
    readonly canGoOn: () => boolean;
    readonly keep: (log: MonitoredLog) => Promise<void>;
  },
): Promise<MonitoredLog> {
  let reading = log;
  while (reading.entries.tree_size < checkpoint.size && world.canGoOn()) {
    const from = reading.entries.tree_size;
    const boundary = (Math.floor(from / TILE_WIDTH) + BUNDLES_AT_ONCE) * TILE_WIDTH;
    const to = Math.min(boundary, checkpoint.size);
    let frontier: Frontier = reading.entries.frontier.map((hash) => parseHex(hash));
    let root = checkpoint.root;
    const changes: number[] = [];
    const epochs: number[] = [];
    for (let at = from; at < to;) {
      const entries = await readPiece(world.read, at, Math.min(to, (Math.floor(at / TILE_WIDTH) + 1) * TILE_WIDTH));
      ({ frontier, root } = appendLeaves(at, frontier, entries.map(leafHash)));
      entries.forEach((entry, n) => {
        const type = typeOf(entry, at + n);
        if (type === 'ledger_key_changed') changes.push(at + n);
        if (type === 'epoch_opened') epochs.push(at + n);
      });
      at += entries.length;
    }
    const comparison = await compareTrees({ origin: checkpoint.origin, size: to, root }, checkpoint, world.tiles);
    if (comparison.kind === 'fork')
      throw new CheckFailure(`the entries from leaf ${from} to ${to - 1} are not the leaves of the checkpoint's tree`);
    reading = {
      ...reading,
      entries: { tree_size: to, frontier: frontier.map(formatHex) },
      key_changes: [...reading.key_changes, ...changes],
      epochs: [...reading.epochs, ...epochs],
    };
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

function typeOf(bytes: Uint8Array, leafIndex: number): EntryType {
  try {
    return parseEntry(decoder.decode(bytes)).type;
  } catch {
    throw new CheckFailure(`leaf ${leafIndex} of the log is not an entry`);
  }
}
