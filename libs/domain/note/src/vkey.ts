import { sha256 } from '@answer-evidence/digest';
import { concatBytes, equalBytes, formatBase64, formatHex, utf8 } from '@answer-evidence/encoding';
import { isNoteText, parseBase64Field } from './fields.ts';
import { NoteError } from './note-error.ts';

/** A verifier key of C2SP signed-note: who signs, by which public key. */
export type Vkey = {
  readonly name: string;
  /** The 4 bytes by which a signature line names the key; short, so that another key can have the same. */
  readonly id: Uint8Array;
  /** The signature type: 0x01 Ed25519, 0x04 and 0x06 timestamped cosignatures by Ed25519 and ML-DSA-44, and others. */
  readonly type: number;
  readonly publicKey: Uint8Array;
};

/** The signature type of plain Ed25519 over the text of the note. */
export const ED25519 = 0x01;

/** The signature type of ECDSA, the one whose key id is over the public key alone. */
const ECDSA = 0x02;

/** The signature type of a timestamped Ed25519 cosignature, whose public key is of the same form. */
export const COSIGNATURE_ED25519 = 0x04;

/** The signature type of a timestamped ML-DSA-44 cosignature, by a witness or a log itself (C2SP tlog-cosignature). */
export const COSIGNATURE_ML_DSA_44 = 0x06;

/** How long the public keys of these types are; of others any length is one. */
const KEY_BYTES: Readonly<Record<number, number>> = {
  [ED25519]: 32,
  [COSIGNATURE_ED25519]: 32,
  [COSIGNATURE_ML_DSA_44]: 1312,
};
const ID_BYTES = 4;

/** A verifier key with its id computed. Throws `NoteError` when the name or the key is not of the format. */
export function createVkey(name: string, type: number, publicKey: Uint8Array): Vkey {
  assertKeyName(name);
  if (!Number.isInteger(type) || type < 0 || type > 0xff) throw new NoteError('the key type is not a byte');
  if (publicKey.length === 0 || publicKey.length !== (KEY_BYTES[type] ?? publicKey.length))
    throw new NoteError('the public key has the wrong length');
  const named = type === ECDSA ? publicKey : concatBytes(utf8(name + '\n'), Uint8Array.of(type), publicKey);
  return { name, id: sha256(named).slice(0, ID_BYTES), type, publicKey };
}

/** What a log signs with, by the name that the API has for it. Throws `NoteError` for a key that signs no log. */
export function algorithmOfLogKey(vkey: Vkey): 'ed25519' | 'ml-dsa-44' {
  if (!isLogKey(vkey)) throw new NoteError('the key of a log must be of the type Ed25519 or ML-DSA-44');
  return vkey.type === ED25519 ? 'ed25519' : 'ml-dsa-44';
}

/** Whether a log signs its checkpoints with keys of this type. */
export function isLogKey({ type }: Vkey): boolean {
  return type === ED25519 || type === COSIGNATURE_ML_DSA_44;
}

/** The text form, `name+id+key`. */
export function formatVkey(vkey: Vkey): string {
  const encoded = formatBase64(concatBytes(Uint8Array.of(vkey.type), vkey.publicKey));
  return `${vkey.name}+${formatHex(vkey.id)}+${encoded}`;
}

/** Reads the text form, and refuses a key whose id is not that of its name and bytes. Throws `NoteError`. */
export function parseVkey(text: string): Vkey {
  const nameEnd = text.indexOf('+');
  // Only the first two: base64 has `+` among its letters.
  const idEnd = text.indexOf('+', nameEnd + 1);
  if (nameEnd < 0 || idEnd < 0) throw new NoteError('the verifier key must have three parts');
  const key = parseBase64Field(text.slice(idEnd + 1), 'the verifier key');
  const vkey = createVkey(text.slice(0, nameEnd), key[0] ?? -1, key.slice(1));
  if (text.slice(nameEnd + 1, idEnd) !== formatHex(vkey.id)) throw new NoteError('the key id does not match the key');
  return vkey;
}

/** Refuses what cannot name a key: the empty name, spaces of any script, `+`, and control characters. */
export function assertKeyName(name: string): void {
  if (name === '' || /[\p{White_Space}+]/u.test(name) || !isNoteText(name)) {
    throw new NoteError('the key name is empty, or has a space, a plus or a control character');
  }
}

/** Whether a signature line with this name and id claims to be by the key. */
function isKeyNamed(vkey: Vkey, name: string, id: Uint8Array): boolean {
  return vkey.name === name && equalBytes(vkey.id, id);
}

/**
 * The key that a signature line with this name and id claims. Ids are short enough to collide: if two keys have the
 * same name and id, it is unclear which of them signed, so it throws `NoteError`.
 */
export function findNamedKey(vkeys: readonly Vkey[], name: string, id: Uint8Array): Vkey | undefined {
  const [first, ...others] = vkeys.filter((vkey) => isKeyNamed(vkey, name, id));
  if (first !== undefined && others.some((other) => !equalBytes(other.publicKey, first.publicKey))) {
    throw new NoteError('two trusted keys have the same name and id');
  }
  return first;
}
