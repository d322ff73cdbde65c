import { type Checkpoint, formatCheckpoint } from './checkpoint.ts';
import { signCosignature, subtreeMessage } from './cosignature.ts';
import { formatNote } from './signed-note.ts';
import { COSIGNATURE_ML_DSA_44, parseVkey, type Vkey } from './vkey.ts';

/** One key of a log with what makes its signatures, of Ed25519 or ML-DSA-44 as the key is; it may throw. */
export type TreeKey = { readonly vkey: string; readonly sign: (message: string | Uint8Array) => Uint8Array };

/**
 * What a log's own ML-DSA-44 signature states in place of a time: a log signs older trees too, whenever somebody asks
 * for one (C2SP tlog-cosignature).
 */
const NO_TIME = 0;

/**
 * A checkpoint as a note signed by the log's keys at this size, in their order. Never call it for a tree that is not
 * committed: two signed trees of one size are two histories. The same tree and keys give the same text and the same
 * Ed25519 signatures, so checkpoints are signed whenever one is needed and not stored: a signature that is lost in a
 * crash costs nothing. ML-DSA-44 signatures of one tree differ in their bytes (FIPS 204, hedged).
 */
export function signTree(checkpoint: Checkpoint, keys: readonly TreeKey[]): string {
  return signText(formatCheckpoint(checkpoint), keys);
}

/**
 * A text as a note signed by the keys. Its first line must be no log's name: the keys also sign checkpoints. Keys of
 * ML-DSA-44 sign nothing but checkpoints; throws `NoteError` for another text.
 */
export function signText(text: string, keys: readonly TreeKey[]): string {
  const signatures = keys.map(({ vkey, sign }) => {
    const parsed = parseVkey(vkey);
    if (parsed.type === COSIGNATURE_ML_DSA_44) return signCosignature(text, parsed, NO_TIME, sign);
    return { name: parsed.name, keyId: parsed.id, signature: sign(text) };
  });
  return formatNote({ text, signatures });
}

/** What a key of a log signs of a text: the text, or with ML-DSA-44 the tree that it states. Throws `NoteError`. */
export function messageOfLogKey(text: string, vkey: Vkey): string | Uint8Array {
  return vkey.type === COSIGNATURE_ML_DSA_44 ? subtreeMessage(text, vkey.name, NO_TIME) : text;
}
