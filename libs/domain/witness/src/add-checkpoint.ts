import { EncodingError, formatBase64, parseBase64 } from '@answer-evidence/encoding';
import { type Checkpoint, NoteError, parseExtendedCheckpoint, parseNote, type SignedNote } from '@answer-evidence/note';
import { WitnessError } from './witness-error.ts';

/** A request for a cosignature (C2SP tlog-witness, `add-checkpoint`). */
export type AddCheckpoint = {
  /** The size of the tree that the witness is taken to have cosigned last; 0 for none. */
  readonly oldSize: number;
  /** The consistency proof from there (RFC 6962 section 2.1.2); empty where it says nothing. */
  readonly proof: readonly Uint8Array[];
  /** The signed note of the checkpoint, as it is. */
  readonly note: string;
};

/** A request as it was read: nothing of it is verified. */
export type ReadAddCheckpoint = Omit<AddCheckpoint, 'note'> & {
  readonly note: SignedNote;
  readonly checkpoint: Checkpoint;
};

/** The most hashes that a proof may have. */
const PROOF_HASHES_MAX = 63;

const HASH_BYTES = 32;

/** Writes a request's body. Throws `WitnessError` for one that no witness would read. */
export function formatAddCheckpoint(request: AddCheckpoint): string {
  const { oldSize, proof, note } = request;
  if (!Number.isSafeInteger(oldSize) || oldSize < 0) throw new WitnessError('the old size is not a safe integer');
  if (proof.length > PROOF_HASHES_MAX) throw new WitnessError('the proof has too many hashes');
  if (proof.some((hash) => hash.length !== HASH_BYTES))
    throw new WitnessError('a hash of the proof is not of 32 bytes');
  return `old ${oldSize}\n${proof.map((hash) => `${formatBase64(hash)}\n`).join('')}\n${note}`;
}

/** Reads a request's body. Throws `WitnessError`. */
export function parseAddCheckpoint(text: string): ReadAddCheckpoint {
  const split = text.indexOf('\n\n');
  if (split < 0) throw new WitnessError('no empty line before the checkpoint');
  const [old = '', ...proof] = text.slice(0, split).split('\n');
  const [, digits] = /^old (0|[1-9][0-9]*)$/.exec(old) ?? [];
  const oldSize = Number(digits);
  if (digits === undefined || !Number.isSafeInteger(oldSize))
    throw new WitnessError('the first line must be: old <size>');
  if (proof.length > PROOF_HASHES_MAX) throw new WitnessError('the proof has too many hashes');
  const hashes = proof.map(parseProofHash);
  try {
    const note = parseNote(text.slice(split + 2));
    return { oldSize, proof: hashes, note, checkpoint: parseExtendedCheckpoint(note.text) };
  } catch (error) {
    if (error instanceof NoteError) throw new WitnessError(error.reason);
    throw error;
  }
}

function parseProofHash(line: string): Uint8Array {
  try {
    const hash = parseBase64(line);
    if (hash.length === HASH_BYTES) return hash;
  } catch (error) {
    if (!(error instanceof EncodingError)) throw error;
  }
  throw new WitnessError('a line of the proof is not a base64 hash');
}
