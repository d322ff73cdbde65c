import { EncodingError } from './encoding-error.ts';

const encoder = new TextEncoder();

/** The UTF-8 bytes of the text. Throws `EncodingError` for a lone surrogate: replaced, it would make texts equal. */
export function utf8(text: string): Uint8Array {
  if (!text.isWellFormed()) throw new EncodingError('a text contains an unpaired surrogate');
  return encoder.encode(text);
}

/** The parts one after another, in new memory. */
export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  let size = 0;
  for (const part of parts) size += part.length;
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Whether both hold the same bytes. Its time tells where they differ: for public hashes, never for secrets. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
