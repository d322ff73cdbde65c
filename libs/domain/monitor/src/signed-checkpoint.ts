import type { LogKey, MonitoredLog, TrustFile } from '@answer-evidence/contracts';
import { formatHex, parseHex, parseTimestamp } from '@answer-evidence/encoding';
import { appendLeaves } from '@answer-evidence/merkle';
import {
  type Checkpoint,
  NoteError,
  parseCheckpoint,
  parseNote,
  parseVkey,
  type SignedNote,
  verifyNote,
  type VerifySignature,
  type Vkey,
} from '@answer-evidence/note';
import { findPins, keysAt } from '@answer-evidence/verify';
import { CheckFailure } from '@answer-evidence/verify/verdict';
import type { Finding } from './finding.ts';

/** A checkpoint that a pinned key of its size has signed. */
export type SignedCheckpoint = {
  /** The whole note, as it was served. */
  readonly text: string;
  readonly note: SignedNote;
  readonly checkpoint: Checkpoint;
  /** Signatures in the log's own name by keys that the trust file does not name for this size. */
  readonly strangers: number;
  /** Pinned keys of this size that have not signed: right only when the log has announced a change that came since. */
  readonly absent: number;
};

/**
 * The pinned keys of a checkpoint's size, and which of them signed it. A key that retires after its trust file was made
 * signs no more, so one signer is enough here; whether the log announced that is for `judgeKeys`. Throws `NoteError` or
 * `CheckFailure` when no pinned key signed, or a signature is wrong.
 */
export async function verifySigners(
  note: SignedNote,
  checkpoint: Checkpoint,
  pins: readonly LogKey[],
  verify: VerifySignature,
): Promise<{ readonly keys: readonly Vkey[]; readonly absent: number }> {
  const vkeys = [...new Set(keysAt(pins, checkpoint.size).map(({ vkey }) => vkey))];
  if (vkeys.length === 0)
    throw new CheckFailure(`the trust file has no key of this log for a tree of ${checkpoint.size} leaves`);
  const keys = vkeys.map((vkey) => parseVkey(vkey));
  const signers = await verifyNote(note, keys, verify);
  return { keys, absent: keys.length - signers.length };
}

/** The checkpoint, or what keeps it from being believed. */
export async function verifySigned(
  text: string,
  trust: TrustFile,
  verify: VerifySignature,
): Promise<SignedCheckpoint | Finding> {
  let note: SignedNote;
  let checkpoint: Checkpoint;
  try {
    note = parseNote(text);
    checkpoint = parseCheckpoint(note.text);
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    return { kind: 'invalid_log', detail: `the checkpoint cannot be read: ${error.reason}` };
  }
  const pins = findPins(trust, checkpoint.origin);
  if (pins === undefined) {
    return { kind: 'unknown_key', detail: `the trust file does not name the log ${checkpoint.origin}` };
  }
  const own = note.signatures.filter(({ name }) => name === checkpoint.origin).map(({ keyId }) => formatHex(keyId));
  try {
    const { keys, absent } = await verifySigners(note, checkpoint, pins, verify);
    const pinned = new Set(keys.map(({ id }) => formatHex(id)));
    return { text, note, checkpoint, strangers: own.filter((id) => !pinned.has(id)).length, absent };
  } catch (error) {
    if (!(error instanceof NoteError) && !(error instanceof CheckFailure)) throw error;
    const known = keysAt(pins, checkpoint.size).map(({ vkey }) => formatHex(parseVkey(vkey).id));
    const kind = own.every((id) => known.includes(id)) && own.length === known.length ? 'invalid_log' : 'unknown_key';
    return { kind, detail: `the checkpoint of ${checkpoint.size} leaves is not verified: ${error.message}` };
  }
}

/**
 * Refuses what no monitor has written, though it has the form of a state. Throws `NoteError`, `MerkleError` or
 * `EncodingError`.
 */
export function assertMonitoredLog({ checkpoint, grown_at, uncosigned_since, awaited, entries }: MonitoredLog): void {
  const { size } = readVerified(checkpoint);
  if (entries.tree_size > size) throw new NoteError('more entries were read than the checkpoint has');
  for (const time of [grown_at, uncosigned_since, awaited?.since]) if (typeof time === 'string') parseTimestamp(time);
  const frontier = entries.frontier.map((hash) => parseHex(hash));
  appendLeaves(entries.tree_size, frontier, []);
}

/** A note that was verified before, read again. */
export function readVerified(text: string): Checkpoint {
  return parseCheckpoint(parseNote(text).text);
}
