import { formatBase64 } from '@answer-evidence/encoding';
import { formatDecimalField, HASH_BYTES, isNoteText, parseDecimalField, parseHashField } from './fields.ts';
import { NoteError } from './note-error.ts';

/** What a log says about itself (C2SP tlog-checkpoint): its name, how many leaves it has, and their root. */
export type Checkpoint = { readonly origin: string; readonly size: number; readonly root: Uint8Array };

/** The text that is signed: three lines, each with its line feed, and no extension lines. Throws `NoteError`. */
export function formatCheckpoint(checkpoint: Checkpoint): string {
  assertOrigin(checkpoint.origin);
  if (checkpoint.root.length !== HASH_BYTES) throw new NoteError('the root must have 32 bytes');
  const size = formatDecimalField(checkpoint.size, 'the tree size');
  return `${checkpoint.origin}\n${size}\n${formatBase64(checkpoint.root)}\n`;
}

/**
 * Reads the text of a checkpoint, and accepts only what `formatCheckpoint` writes. Extension lines are refused: a value
 * read without them would stand for a text that nobody signed. Throws `NoteError`.
 */
export function parseCheckpoint(text: string): Checkpoint {
  const [origin, size, root, end, ...rest] = text.split('\n');
  if (origin === undefined || size === undefined || root === undefined || end !== '' || rest.length > 0) {
    throw new NoteError('the checkpoint must have three lines');
  }
  assertOrigin(origin);
  return { origin, size: parseDecimalField(size, 'the tree size'), root: parseHashField(root, 'the root') };
}

/**
 * Reads the text of any log's checkpoint, which may have extension lines; they are skipped. For callers that store or
 * sign the text itself, such as witnesses. Throws `NoteError`.
 */
export function parseExtendedCheckpoint(text: string): Checkpoint {
  const [origin = '', size = '', root = '', ...rest] = text.split('\n');
  // The text ends in a line feed, so that the last of its parts is empty and no other is.
  if (rest.at(-1) !== '' || rest.slice(0, -1).includes('')) throw new NoteError('a line of the checkpoint is empty');
  return parseCheckpoint(`${origin}\n${size}\n${root}\n`);
}

function assertOrigin(origin: string): void {
  if (origin === '' || origin.includes('\n') || !isNoteText(origin)) {
    throw new NoteError('the origin must be one line of text');
  }
}
