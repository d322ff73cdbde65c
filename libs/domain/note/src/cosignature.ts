import { concatBytes, utf8 } from '@answer-evidence/encoding';
import { NoteError } from './note-error.ts';
import { formatSignatureLine, type NoteSignature } from './signed-note.ts';
import type { VerifyEd25519 } from './verify-note.ts';
import { COSIGNATURE_ED25519, type Vkey } from './vkey.ts';

/** An Ed25519 cosignature (C2SP tlog-cosignature): when it was made, in seconds since 1970, and 64 bytes. */
export type Cosignature = { readonly timestamp: number; readonly signature: Uint8Array };

const TIMESTAMP_BYTES = 8;
const SIGNATURE_BYTES = 64;

/**
 * What a witness signs: that at this time this is the largest tree of the log that it has seen, consistent with all
 * before. `text` is the text of the checkpoint's note. The name of the witness is not signed, so a key must never serve
 * under two names.
 */
export function cosignatureMessage(text: string, timestamp: number): string {
  assertTimestamp(timestamp);
  return `cosignature/v1\ntime ${timestamp}\n${text}`;
}

/** Signs a checkpoint's note as the witness with this key. `sign` makes the Ed25519 signature. Throws `NoteError`. */
export function signCosignature(
  text: string,
  vkey: Vkey,
  timestamp: number,
  sign: (message: string) => Uint8Array,
): NoteSignature {
  assertCosignatureKey(vkey);
  const signature = sign(cosignatureMessage(text, timestamp));
  return { name: vkey.name, keyId: vkey.id, signature: formatCosignature({ timestamp, signature }) };
}

/** The line of a note that says so, with its line feed. Throws `NoteError`. */
export function formatCosignatureLine(vkey: Vkey, cosignature: Cosignature): string {
  assertCosignatureKey(vkey);
  return formatSignatureLine(vkey.name, vkey.id, formatCosignature(cosignature));
}

/** The bytes after the key id in a signature line: the time as a big-endian 64-bit number, then the signature. */
export function formatCosignature(cosignature: Cosignature): Uint8Array {
  assertTimestamp(cosignature.timestamp);
  if (cosignature.signature.length !== SIGNATURE_BYTES) throw new NoteError('a cosignature has the wrong length');
  const time = new Uint8Array(TIMESTAMP_BYTES);
  new DataView(time.buffer).setBigUint64(0, BigInt(cosignature.timestamp));
  return concatBytes(time, cosignature.signature);
}

/** Reads those bytes and verifies nothing; a time beyond a safe integer is refused. Throws `NoteError`. */
export function parseCosignature(bytes: Uint8Array): Cosignature {
  if (bytes.length !== TIMESTAMP_BYTES + SIGNATURE_BYTES) throw new NoteError('a cosignature has the wrong length');
  const time = new DataView(bytes.buffer, bytes.byteOffset, TIMESTAMP_BYTES).getBigUint64(0);
  if (time >> 63n !== 0n) throw new NoteError('the time of a cosignature is above 2^63 - 1');
  if (time > BigInt(Number.MAX_SAFE_INTEGER)) throw new NoteError('the time of a cosignature is in the far future');
  return { timestamp: Number(time), signature: bytes.slice(TIMESTAMP_BYTES) };
}

/**
 * Verifies that the witness with this key cosigned the text of the checkpoint's note, and returns the signed time.
 * `bytes` are those of the signature line after the key id. Throws `NoteError`.
 */
export async function verifyCosignature(
  text: string,
  vkey: Vkey,
  bytes: Uint8Array,
  verify: VerifyEd25519,
): Promise<Cosignature> {
  assertCosignatureKey(vkey);
  const cosignature = parseCosignature(bytes);
  const message = utf8(cosignatureMessage(text, cosignature.timestamp));
  if (!(await verify(vkey.publicKey, message, cosignature.signature))) {
    throw new NoteError('a cosignature by a known witness is invalid');
  }
  return cosignature;
}

function assertTimestamp(timestamp: number): void {
  if (!Number.isSafeInteger(timestamp) || timestamp < 0)
    throw new NoteError('the time of a cosignature is not a valid time');
}

function assertCosignatureKey(vkey: Vkey): void {
  if (vkey.type !== COSIGNATURE_ED25519) throw new NoteError('the key is not an Ed25519 cosignature key');
}
