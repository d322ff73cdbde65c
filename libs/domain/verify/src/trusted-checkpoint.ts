import type { LogKey, TrustFile } from '@answer-evidence/contracts';
import {
  type Checkpoint,
  COSIGNATURE_ML_DSA_44,
  ED25519,
  formatVkey,
  NoteError,
  parseVkey,
  type SignedNote,
  verifyNote,
  type VerifySignature,
} from '@answer-evidence/note';
import { CheckFailure } from './verdict.ts';

/** The keys of a log whose range holds the size. */
export function keysAt(keys: readonly LogKey[], size: number): readonly LogKey[] {
  return keys.filter(
    (key) => key.first_tree_size <= size && (key.last_tree_size === null || size <= key.last_tree_size),
  );
}

/** The pinned keys of a log, or undefined when the trust file does not know it. */
export function findPins(trust: TrustFile, origin: string): readonly LogKey[] | undefined {
  const logs = trust.logs.filter((log) => log.origin === origin);
  return logs.length === 0 ? undefined : logs.flatMap((log) => log.keys);
}

/** The pinned keys of a log. Throws `CheckFailure` for an unnamed log: anyone can sign an invented one. */
export function requirePins(trust: TrustFile, origin: string): readonly LogKey[] {
  const pins = findPins(trust, origin);
  if (pins === undefined) throw new CheckFailure(`the trust file does not name the log ${origin}`);
  return pins;
}

/** Who must have signed: all keys of a size what is published, and those of Ed25519 a receipt or a statement. */
type Demanded = 'every-key' | 'ed25519-keys';

/**
 * Verifies that each demanded key that is pinned for this size signed it, both in a rotation. Returns the keys whose
 * signatures were verified. Throws `CheckFailure` or `NoteError`.
 */
export async function verifyPinned(
  note: SignedNote,
  checkpoint: Checkpoint,
  pins: readonly LogKey[],
  verify: VerifySignature,
  demanded: Demanded = 'every-key',
): Promise<readonly string[]> {
  const keys = keysAt(pins, checkpoint.size);
  if (keys.length === 0) {
    throw new CheckFailure(`the trust file has no key of this log for a tree of ${checkpoint.size} leaves`);
  }
  const vkeys = [...new Set(keys.map((key) => key.vkey))];
  const parsed = vkeys.map(parsePin);
  // A run's statement is no checkpoint, which is all that ML-DSA-44 signs.
  const known = demanded === 'every-key' ? parsed : parsed.filter(({ type }) => type === ED25519);
  const signers = await verifyNote(note, known, verify);
  const missing = known.filter((vkey) => !signers.includes(vkey));
  if (missing.some(({ type }) => type === COSIGNATURE_ML_DSA_44))
    throw new CheckFailure('the log’s ML-DSA-44 key of this size has not signed the checkpoint');
  if (missing.length > 0) throw new CheckFailure('one of the log’s keys at this size has not signed the checkpoint');
  return known.map(formatVkey);
}

function parsePin(vkey: string) {
  try {
    return parseVkey(vkey);
  } catch (error) {
    if (error instanceof NoteError) throw new CheckFailure(`a key in the trust file cannot be read: ${error.reason}`);
    throw error;
  }
}
