import { createHash, createSecretKey } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { FRAME_BYTES, sealedSizeOf, VaultError } from '@answer-evidence/ports';
import { openFrame, sealFrame } from './content-frames.ts';

/** The values of docs/formats/records.md, "Sealed contents"; computed by another implementation of AES-256-GCM. */
const WORKSPACE_ID = '018f0000-0000-7000-8000-000000000001';
const CONTENT_ID = '018f0000-0000-7000-8000-0000000000ab';
const cipher = {
  key: createSecretKey(Uint8Array.from({ length: 32 }, (_, n) => n)),
  associated: Buffer.from(`13:content-frame36:${WORKSPACE_ID}36:${CONTENT_ID}`),
};
const LAST = Buffer.from('0d63e40b8abadf232b7bbdc51b1d3167f3a6ac', 'hex');

describe('frames of a sealed content', () => {
  it('are the bytes that the formats page has', () => {
    const first = sealFrame(cipher, 0, false, Buffer.alloc(FRAME_BYTES, 'a'));
    const last = sealFrame(cipher, 1, true, Buffer.from('end'));
    expect(Buffer.from(last)).toEqual(LAST);
    expect(first.length + last.length).toBe(sealedSizeOf(FRAME_BYTES + 3));
    expect(createHash('sha256').update(first).update(last).digest('hex')).toBe(
      '785e2dcafed22c828a71699985585850ceec95f1aa117911061e153836bbb9c5',
    );
    const empty = sealFrame(cipher, 0, true, new Uint8Array());
    expect(Buffer.from(empty).toString('hex')).toBe('c7e53f98999686085a17207f36fca8e2');
  });

  it('open in their own place, as what they are, and nowhere else', () => {
    expect(Buffer.from(openFrame(cipher, 1, true, LAST)).toString()).toBe('end');
    for (const [number, isLast] of [
      [1, false],
      [0, true],
      [2, true],
      [2 ** 32 + 1, true],
    ] as const)
      expect(() => openFrame(cipher, number, isLast, LAST)).toThrow(VaultError);
    const elsewhere = { ...cipher, associated: Buffer.from(`13:content-frame36:${CONTENT_ID}36:${WORKSPACE_ID}`) };
    expect(() => openFrame(elsewhere, 1, true, LAST)).toThrow(VaultError);
  });
});
