import { type Checkpoint, formatCheckpoint } from './checkpoint.ts';
import { formatNote } from './signed-note.ts';
import { parseVkey } from './vkey.ts';

/**
 * A checkpoint as a note signed by the log's own key. `sign` makes the Ed25519 signature (64 bytes) and may throw. Never call it
 * for a tree that is not committed: two signed trees of one size are two histories.
 */
export function signCheckpoint(checkpoint: Checkpoint, vkey: string, sign: (message: string) => Uint8Array): string {
  const text = formatCheckpoint(checkpoint);
  const { name, id } = parseVkey(vkey);
  return formatNote({ text, signatures: [{ name, keyId: id, signature: sign(text) }] });
}
