import { concatBytes, utf8 } from '@answer-evidence/encoding';
import { parseExtendedCheckpoint } from './checkpoint.ts';
import { NoteError } from './note-error.ts';
import { formatSignatureLine, type NoteSignature } from './signed-note.ts';
import type { VerifySignature } from './verify-signature.ts';
import { COSIGNATURE_ED25519, COSIGNATURE_ML_DSA_44, type Vkey } from './vkey.ts';

/**
 * A cosignature (C2SP tlog-cosignature): when it was made, in seconds since 1970, and the 64 bytes of Ed25519 or 2,420
 * of ML-DSA-44.
 */
export type Cosignature = { readonly timestamp: number; readonly signature: Uint8Array };

const TIMESTAMP_BYTES = 8;
const SIGNATURE_BYTES: Readonly<Record<number, number>> = { [COSIGNATURE_ED25519]: 64, [COSIGNATURE_ML_DSA_44]: 2420 };
/** What an ML-DSA-44 cosignature is of. */
const SUBTREE_LABEL = utf8('subtree/v1\n\0');

/**
 * What a witness signs: that at this time this is the largest tree of the log that it has seen, consistent with all
 * before. `text` is the text of the checkpoint's note. The name of the witness is not signed, so a key must never serve
 * under two names.
 */
export function cosignatureMessage(text: string, timestamp: number): string {
  assertTimestamp(timestamp);
  return `cosignature/v1\ntime ${timestamp}\n${text}`;
}

/**
 * The same for a witness whose key is ML-DSA-44: of the whole tree as a subtree of itself, with the name of the witness
 * and without extension lines.
 */
export function subtreeMessage(text: string, witness: string, timestamp: number): Uint8Array {
  assertTimestamp(timestamp);
  const { origin, size, root } = parseExtendedCheckpoint(text);
  return concatBytes(
    ...[SUBTREE_LABEL, withLength(witness), formatUint64(timestamp)],
    ...[withLength(origin), formatUint64(0), formatUint64(size), root],
  );
}

/** The bytes that a witness with this key signs. */
function signedBytes(text: string, { type, name }: Vkey, timestamp: number): Uint8Array {
  return type === COSIGNATURE_ED25519
    ? utf8(cosignatureMessage(text, timestamp))
    : subtreeMessage(text, name, timestamp);
}

/** Signs a checkpoint's note as the witness with this key. `sign` makes the signature alone. Throws `NoteError`. */
export function signCosignature(
  text: string,
  vkey: Vkey,
  timestamp: number,
  sign: (message: Uint8Array) => Uint8Array,
): NoteSignature {
  assertCosignatureKey(vkey);
  const signature = sign(signedBytes(text, vkey, timestamp));
  assertLength(vkey, signature);
  return { name: vkey.name, keyId: vkey.id, signature: formatCosignature({ timestamp, signature }) };
}

/** The line of a note that says so, with its line feed. Throws `NoteError`. */
export function formatCosignatureLine(vkey: Vkey, cosignature: Cosignature): string {
  assertCosignatureKey(vkey);
  assertLength(vkey, cosignature.signature);
  return formatSignatureLine(vkey.name, vkey.id, formatCosignature(cosignature));
}

/** The bytes after the key id in a signature line: the time as a big-endian 64-bit number, then the signature. */
export function formatCosignature(cosignature: Cosignature): Uint8Array {
  assertTimestamp(cosignature.timestamp);
  return concatBytes(formatUint64(cosignature.timestamp), cosignature.signature);
}

/** Reads those bytes and verifies nothing; a time beyond a safe integer is refused. Throws `NoteError`. */
export function parseCosignature(bytes: Uint8Array): Cosignature {
  const isKnown = Object.values(SIGNATURE_BYTES).includes(bytes.length - TIMESTAMP_BYTES);
  if (!isKnown) throw new NoteError('a cosignature has the wrong length');
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
  verify: VerifySignature,
): Promise<Cosignature> {
  assertCosignatureKey(vkey);
  const cosignature = parseCosignature(bytes);
  assertLength(vkey, cosignature.signature);
  const message = signedBytes(text, vkey, cosignature.timestamp);
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
  if (SIGNATURE_BYTES[vkey.type] === undefined) throw new NoteError('the key is not one of cosignatures');
}

function assertLength(vkey: Vkey, signature: Uint8Array): void {
  if (signature.length !== SIGNATURE_BYTES[vkey.type]) throw new NoteError('a cosignature has the wrong length');
}

function formatUint64(value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value));
  return bytes;
}

/** A name after one byte that says how long it is. */
function withLength(name: string): Uint8Array {
  const bytes = utf8(name);
  if (bytes.length > 0xff) throw new NoteError('a name is longer than 255 bytes');
  return concatBytes(Uint8Array.of(bytes.length), bytes);
}
