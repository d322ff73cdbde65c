import { concatBytes, formatBase64, utf8 } from '@answer-evidence/encoding';
import { isNoteText, parseBase64Field } from './fields.ts';
import { NoteError } from './note-error.ts';
import { assertKeyName } from './vkey.ts';

/** One signature line: a claim by name and 4-byte key id; the format of `signature` is the key's matter. */
export type NoteSignature = { readonly name: string; readonly keyId: Uint8Array; readonly signature: Uint8Array };

/** A note of C2SP signed-note: `text` ends in a line feed and is what is signed. */
export type SignedNote = { readonly text: string; readonly signatures: readonly NoteSignature[] };

/** The largest note that is read or written, in UTF-8 bytes. */
export const NOTE_SIZE_MAX_BYTES = 1_048_576;

/** The most signatures that a note may have; each can cost a verification. */
export const NOTE_SIGNATURES_MAX = 100;

const KEY_ID_BYTES = 4;
const LINE_START = '\u2014 ';

/** Writes a signed note. Throws `NoteError` for one that `parseNote` would refuse. */
export function formatNote(note: SignedNote): string {
  const lines = note.signatures.map((s) => formatSignatureLine(s.name, s.keyId, s.signature));
  const written = note.text + '\n' + lines.join('');
  assertNote(note, written);
  return written;
}

/** One signature line with its line feed. */
export function formatSignatureLine(name: string, keyId: Uint8Array, signature: Uint8Array): string {
  assertKeyName(name);
  if (keyId.length !== KEY_ID_BYTES) throw new NoteError('a key id is not of 4 bytes');
  if (signature.length === 0) throw new NoteError('a signature is empty');
  return `${LINE_START}${name} ${formatBase64(concatBytes(keyId, signature))}\n`;
}

/** Reads a signed note; nothing is verified. `formatNote` gives back the same text. Throws `NoteError`. */
export function parseNote(text: string): SignedNote {
  assertNoteSize(text);
  // The last blank line: the text may have blank lines of its own.
  const split = text.lastIndexOf('\n\n');
  if (split < 0) throw new NoteError('no blank line before the signatures');
  if (!text.endsWith('\n')) throw new NoteError('the last line has no line break');
  const lines = text.slice(split + 2, -1).split('\n');
  if (lines.length > NOTE_SIGNATURES_MAX) throw new NoteError('too many signatures');
  const note = { text: text.slice(0, split + 1), signatures: lines.map(parseSignatureLine) };
  assertNote(note, text);
  return note;
}

function parseSignatureLine(line: string): NoteSignature {
  const [name, encoded, ...rest] = line.slice(LINE_START.length).split(' ');
  if (!line.startsWith(LINE_START) || name === undefined || encoded === undefined || rest.length > 0) {
    throw new NoteError('a signature line is malformed');
  }
  assertKeyName(name);
  const bytes = parseBase64Field(encoded, 'a signature');
  if (bytes.length <= KEY_ID_BYTES) throw new NoteError('a signature is empty');
  return { name, keyId: bytes.slice(0, KEY_ID_BYTES), signature: bytes.slice(KEY_ID_BYTES) };
}

function assertNote(note: SignedNote, written: string): void {
  assertNoteSize(written);
  if (!note.text.endsWith('\n')) throw new NoteError('the text does not end in a line feed');
  if (!isNoteText(written)) throw new NoteError('the note has a control character or is not Unicode');
  if (note.signatures.length === 0) throw new NoteError('the note has no signature');
  if (note.signatures.length > NOTE_SIGNATURES_MAX) throw new NoteError('too many signatures');
}

function assertNoteSize(written: string): void {
  // Its length in UTF-16 is never above that in UTF-8, so a huge text is refused before it is encoded.
  if (written.length > NOTE_SIZE_MAX_BYTES) throw new NoteError('the note is too large');
  if (!written.isWellFormed()) throw new NoteError('the note has a control character or is not Unicode');
  if (utf8(written).length > NOTE_SIZE_MAX_BYTES) throw new NoteError('the note is too large');
}
