import { formatBase64 } from '@answer-evidence/encoding';
import { formatDecimalField, HASH_BYTES, parseBase64Field, parseDecimalField, parseHashField } from './fields.ts';
import { NoteError } from './note-error.ts';
import { NOTE_SIZE_MAX_BYTES, parseNote } from './signed-note.ts';

/** A receipt (C2SP tlog-proof): that the leaf at `index` is in the tree of a checkpoint. */
export type TlogProof = {
  readonly index: number;
  /** The inclusion proof, the leaf's sibling first. */
  readonly hashes: readonly Uint8Array[];
  /** The signed checkpoint note, as it was signed. */
  readonly checkpoint: string;
  /** Nobody signs this part: it may help to rebuild the leaf, and proves nothing. Absent rather than empty. */
  readonly extra?: Uint8Array;
};

const HEADER = 'c2sp.org/tlog-proof@v1';
const EXTRA = 'extra ';
const INDEX = 'index ';

/** A tree of 2^53 leaves is not higher. */
const HASHES_MAX = 53;

/** The parts before the checkpoint are bounded like it, so that a reader never holds more than two such sizes. */
const HEAD_MAX = NOTE_SIZE_MAX_BYTES;

/** Writes a receipt. Throws `NoteError` for one that `parseTlogProof` would refuse. */
export function formatTlogProof(proof: TlogProof): string {
  const lines = [HEADER];
  if (proof.extra !== undefined) lines.push(EXTRA + formatBase64(proof.extra));
  lines.push(INDEX + formatDecimalField(proof.index, 'the index'));
  for (const hash of proof.hashes) {
    if (hash.length !== HASH_BYTES) throw new NoteError('a hash must have 32 bytes');
    lines.push(formatBase64(hash));
  }
  const head = lines.join('\n');
  if (proof.extra?.length === 0) throw new NoteError('the extra part is empty');
  assertLimits(head, proof.hashes.length);
  parseNote(proof.checkpoint);
  return `${head}\n\n${proof.checkpoint}`;
}

/** Reads a receipt, inverse of `formatTlogProof`; nothing is verified. Throws `NoteError`. */
export function parseTlogProof(text: string): TlogProof {
  const split = text.indexOf('\n\n');
  if (split < 0) throw new NoteError('no blank line before the checkpoint');
  const head = text.slice(0, split);
  const [header, ...lines] = head.split('\n');
  if (header !== HEADER) throw new NoteError('the proof has the wrong header');
  const extra = lines[0]?.startsWith(EXTRA) === true ? lines.shift()?.slice(EXTRA.length) : undefined;
  if (extra === '') throw new NoteError('the extra part is empty');
  const index = lines.shift();
  if (index?.startsWith(INDEX) !== true) throw new NoteError('the proof has no index');
  assertLimits(head, lines.length);

  const checkpoint = text.slice(split + 2);
  parseNote(checkpoint);
  return {
    index: parseDecimalField(index.slice(INDEX.length), 'the index'),
    hashes: lines.map((line) => parseHashField(line, 'a hash')),
    checkpoint,
    ...(extra === undefined ? {} : { extra: parseBase64Field(extra, 'the extra part') }),
  };
}

function assertLimits(head: string, hashes: number): void {
  if (head.length > HEAD_MAX) throw new NoteError('the proof is too large');
  if (hashes > HASHES_MAX) throw new NoteError('the proof has too many hashes');
}
