import { type Checkpoint, formatCheckpoint } from './checkpoint.ts';
import { formatNote } from './signed-note.ts';
import { parseVkey } from './vkey.ts';

/** One key of a log with what makes its Ed25519 signatures (64 bytes); it may throw. */
export type TreeKey = { readonly vkey: string; readonly sign: (message: string) => Uint8Array };

/**
 * A checkpoint as a note signed by the log's keys at this size, in their order. Never call it for a tree that is not
 * committed: two signed trees of one size are two histories. The same tree and keys give the same bytes, so checkpoints
 * are signed whenever one is needed and not stored: a signature that is lost in a crash costs nothing.
 */
export function signTree(checkpoint: Checkpoint, keys: readonly TreeKey[]): string {
  return signText(formatCheckpoint(checkpoint), keys);
}

/** A text as a note signed by the keys. Its first line must be no log's name: the keys also sign checkpoints. */
export function signText(text: string, keys: readonly TreeKey[]): string {
  const signatures = keys.map(({ vkey, sign }) => {
    const { name, id } = parseVkey(vkey);
    return { name, keyId: id, signature: sign(text) };
  });
  return formatNote({ text, signatures });
}
