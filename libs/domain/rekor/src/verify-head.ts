import {
  type Checkpoint,
  NoteError,
  parseCheckpoint,
  parseNote,
  verifyNote,
  type VerifySignature,
  type Vkey,
} from '@answer-evidence/note';
import type { RekorLog } from './log-key.ts';
import { RekorError } from './rekor-error.ts';

/**
 * The checkpoint of a log that a pinned key of its name signed, and that key. Cosignatures of witnesses are not judged.
 * Rejects with `RekorError`, which quotes nothing of the note.
 */
export async function verifyHead(
  envelope: string,
  logs: readonly RekorLog[],
  verify: VerifySignature,
): Promise<{ readonly checkpoint: Checkpoint; readonly signer: Vkey }> {
  try {
    const note = parseNote(envelope);
    const checkpoint = parseCheckpoint(note.text);
    const named = logs.map(({ vkey }) => vkey).filter(({ name }) => name === checkpoint.origin);
    if (named.length === 0) throw new RekorError('the checkpoint is of a log whose key is not pinned');
    const [signer] = await verifyNote(note, named, verify);
    if (signer === undefined) throw new RekorError('no trusted key signed the note');
    return { checkpoint, signer };
  } catch (error) {
    if (error instanceof NoteError) throw new RekorError(`the checkpoint of the log does not hold: ${error.reason}`);
    throw error;
  }
}
