import type { TrustFile } from '@answer-evidence/contracts';
import { concatBytes, equalBytes, utf8 } from '@answer-evidence/encoding';
import { formatTilePath, leafHash, nodeHash, TILE_WIDTH } from '@answer-evidence/merkle';
import {
  type Checkpoint,
  NoteError,
  parseCheckpoint,
  parseNote,
  type SignedNote,
  type VerifySignature,
} from '@answer-evidence/note';
import { createTlogView, HASH_BYTES, readTile, type ReadTlog } from './tlog-view.ts';
import { requirePins, verifyPinned } from './trusted-checkpoint.ts';
import { CheckFailure, pass, runCheck, skip, type Verdict } from './verdict.ts';
import type { LogView } from './verify-options.ts';
import { NO_TRUST } from './without-trust.ts';

/** The checks of a log as a whole, in their order. */
export const LOG_CHECKS = ['checkpoint_signature', 'merkle_root', 'log_order', 'hash_tiles'] as const;
/** The name of a check of a log. */
export type LogCheckName = (typeof LOG_CHECKS)[number];
/** One check's result; see `checkResult`. */
export type LogCheckResult = Awaited<ReturnType<typeof runCheck<LogCheckName>>>;

const DOES_NOT_PROVE: Readonly<Record<LogCheckName, string>> = {
  checkpoint_signature: 'Not that the signer shows everyone the same log; proving that needs witnesses or anchors.',
  merkle_root: 'Not that the entries are true; only that they are all leaves of the signed tree.',
  log_order: 'Not that the times are right; only that each lies between those of the leaves beside it.',
  hash_tiles: 'Not that the host serves others the same tiles; only that these fit the entries.',
};

/** A log with its own checkpoint, as far as a copy of it or its host has it. */
export type PublishedLog = {
  readonly note: SignedNote;
  readonly checkpoint: Checkpoint;
  readonly view: LogView;
  readonly read: ReadTlog;
};

/** What a log verified by its own checkpoint comes to. */
export type LogVerification = {
  readonly checkpoint: { readonly origin: string; readonly tree_size: number };
  readonly checks: readonly LogCheckResult[];
  readonly pins: readonly string[];
};

/** Opens a log at its own checkpoint; undefined without one. Throws `NoteError` for what is not a checkpoint. */
export async function openPublishedLog(read: ReadTlog): Promise<PublishedLog | undefined> {
  const bytes = await read('checkpoint');
  if (bytes === undefined) return undefined;
  const note = parseNote(decode(bytes));
  const checkpoint = parseCheckpoint(note.text);
  return { note, checkpoint, view: createTlogView(read, checkpoint), read };
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new NoteError('the checkpoint is not UTF-8 text');
  }
}

/** The checks of a log, without any other evidence. Content never makes it throw. */
export async function verifyLog(
  log: PublishedLog,
  trust: TrustFile | undefined,
  verify: VerifySignature,
): Promise<LogVerification> {
  const { note, checkpoint, view } = log;
  const { origin, size } = checkpoint;
  const pins: string[] = [];
  const checks: Readonly<Record<LogCheckName, () => Verdict | Promise<Verdict>>> = {
    async checkpoint_signature() {
      if (trust === undefined) return skip(NO_TRUST);
      pins.push(...(await verifyPinned(note, checkpoint, requirePins(trust, origin), verify)));
      return pass(`signed by ${pins.length === 1 ? 'the pinned key' : `${pins.length} pinned keys`} of this tree size`);
    },
    async merkle_root() {
      const root = await view.rootAt?.(size);
      const gap = await firstGap(view, size);
      if (gap !== undefined) return skip(gap);
      return root === undefined ? skip('the given log lacks hashes') : pass(`${size} entries lead to the signed root`);
    },
    async log_order() {
      const order = await view.orderBelow?.(size, []);
      if (order?.disorder !== undefined) throw new CheckFailure(order.disorder);
      const gap = await firstGap(view, size);
      return gap === undefined ? pass(`${order?.read ?? ''}, each in its place`) : skip(gap);
    },
    hash_tiles: () => checkHashTiles(log),
  };
  const results: LogCheckResult[] = [];
  for (const name of LOG_CHECKS) results.push(await runCheck(name, checks[name], DOES_NOT_PROVE));
  return { checkpoint: { origin, tree_size: size }, checks: results, pins };
}

async function firstGap(view: LogView, size: number): Promise<string | undefined> {
  const [gap] = (await view.gapsBelow?.(size)) ?? [];
  return gap === undefined ? undefined : `the given log lacks ${gap.path}`;
}

/** Every tile of hashes holds what the entries come to. */
async function checkHashTiles({ view, checkpoint, read }: PublishedLog): Promise<Verdict> {
  const entries = (await view.entriesBelow?.(checkpoint.size)) ?? [];
  const lacking: string[] = [];
  let hashes = entries.map((entry) => (entry === undefined ? undefined : leafHash(utf8(entry))));
  for (let level = 0; hashes.length > 0; level++) {
    const above: (Uint8Array | undefined)[] = [];
    for (let from = 0; from < hashes.length; from += TILE_WIDTH) {
      const own = hashes.slice(from, from + TILE_WIDTH);
      const tile = await readTile(read, level, from / TILE_WIDTH, own.length);
      if (tile === undefined) lacking.push(formatTilePath(level, from / TILE_WIDTH, own.length));
      const known = own.filter((hash) => hash !== undefined);
      const isWhole = known.length === own.length;
      if (
        tile !== undefined &&
        isWhole &&
        !equalBytes(tile.subarray(0, own.length * HASH_BYTES), concatBytes(...known))
      )
        throw new CheckFailure(`a tile of level ${level} is not that of the entries`);
      if (own.length === TILE_WIDTH) above.push(isWhole ? rootOf(known) : undefined);
    }
    hashes = above;
  }
  if (lacking.length > 0) return skip(`the given log lacks ${lacking.slice(0, 3).join(', ')}`);
  if (entries.includes(undefined)) return skip('the given log lacks entries');
  return pass('every tile of hashes is that of the entries');
}

/** The root of a full tile. */
function rootOf(hashes: readonly Uint8Array[]): Uint8Array {
  let level = hashes;
  while (level.length > 1)
    level = level.flatMap((left, n) => (n % 2 === 0 ? [nodeHash(left, level[n + 1] ?? left)] : []));
  return level[0] ?? new Uint8Array();
}
