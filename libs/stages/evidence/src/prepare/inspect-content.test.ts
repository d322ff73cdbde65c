import { expect, test } from '@jest/globals';
import { EVIDENCE_SEGMENTED_BYTES_MAX } from '@answer-evidence/contracts';
import { SNIFFED_BYTES_MAX } from '@answer-evidence/ports';
import { inspectContent } from './inspect-content.ts';

async function* inPieces(bytes: Uint8Array, pieceBytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes)
    yield await Promise.resolve(bytes.subarray(at, at + pieceBytes));
}

async function inspect(bytes: Uint8Array, pieceBytes: number) {
  const inspection = inspectContent(inPieces(bytes, pieceBytes), 2 * EVIDENCE_SEGMENTED_BYTES_MAX);
  let size = 0;
  for await (const piece of inspection.bytes) size += piece.length;
  expect(size).toBe(bytes.length);
  return inspection.finish();
}

test.each([1, 7, 4_096, 1_000_000])(
  'a text is seen whole, however it is cut: pieces of %i bytes',
  async (pieceBytes) => {
    const text = 'äöü\n'.repeat(40_000);
    const seen = await inspect(new TextEncoder().encode(text), pieceBytes);
    expect(seen.text === text).toBe(true);
    expect(seen.head).toHaveLength(SNIFFED_BYTES_MAX);
  },
);

test.each([1, 4_096, 65_537, 10_000_000])(
  'of one that is too large to be split only the head is kept: pieces of %i bytes',
  async (pieceBytes) => {
    const bytes = new Uint8Array(EVIDENCE_SEGMENTED_BYTES_MAX + 1).map((_, at) => 65 + (at % 26));
    const { head, text, looksLikeText } = await inspect(bytes, pieceBytes);
    expect([text, looksLikeText]).toEqual([undefined, true]);
    expect(Buffer.from(bytes.subarray(0, SNIFFED_BYTES_MAX)).equals(head)).toBe(true);
  },
);
