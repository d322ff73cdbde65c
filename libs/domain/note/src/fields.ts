import { EncodingError, parseBase64 } from '@answer-evidence/encoding';
import { NoteError } from './note-error.ts';

/** SHA-256 is the one hash of these formats. */
export const HASH_BYTES = 32;

/** Reads padded base64 and throws `NoteError` with the name of the field for anything else. */
export function parseBase64Field(text: string, field: string): Uint8Array {
  try {
    return parseBase64(text);
  } catch (error) {
    if (error instanceof EncodingError) throw new NoteError(`${field} is not base64`);
    throw error;
  }
}

/** Reads a hash in base64, of 32 bytes. */
export function parseHashField(text: string, field: string): Uint8Array {
  const hash = parseBase64Field(text, field);
  if (hash.length !== HASH_BYTES) throw new NoteError(`${field} must have 32 bytes`);
  return hash;
}

/** Reads a decimal number without sign or leading zeros, at most 2^53 - 1. */
export function parseDecimalField(text: string, field: string): number {
  const value = Number(text);
  if (!/^(?:0|[1-9][0-9]*)$/.test(text) || !Number.isSafeInteger(value)) {
    throw new NoteError(`${field} is not a decimal number`);
  }
  return value;
}

/** Writes such a number. */
export function formatDecimalField(value: number, field: string): string {
  if (!Number.isSafeInteger(value) || value < 0) throw new NoteError(`${field} is not a safe integer`);
  return String(value);
}

/** Whether a text may be part of a note: well-formed Unicode without control characters below U+0020 but line feed. */
export function isNoteText(text: string): boolean {
  // oxlint-disable-next-line no-control-regex
  return text.isWellFormed() && !/[\u0000-\u0009\u000b-\u001f]/.test(text);
}
