import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createEd25519Signer } from './ed25519.ts';
import { createMlDsa44Signer } from './ml-dsa-44.ts';
import { verifySignature } from './verify-signature.ts';

const SEED = new Uint8Array(32).fill(1);

describe.each([
  ['Ed25519', createEd25519Signer(SEED)],
  ['ML-DSA-44', createMlDsa44Signer(SEED)],
])('a signature by %s', (_name, signer) => {
  it('is one of its message by its key alone', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(63 * 8), (message, bit) => {
        const signature = signer.sign(message);
        const altered = signature.slice();
        altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        expect(verifySignature(signer.publicKey, message, signature)).toBe(true);
        expect(verifySignature(signer.publicKey, message, altered)).toBe(false);
        expect(verifySignature(signer.publicKey, Uint8Array.of(...message, 0), signature)).toBe(false);
        expect(verifySignature(signer.publicKey, message, signature.slice(1))).toBe(false);
      }),
      { numRuns: 20 },
    );
  });
});

it.each([0, 31, 33, 1311, 1312, 1313])('a key of %d zeros has signed nothing', (size) => {
  for (const length of [0, 64, 2420])
    expect(verifySignature(new Uint8Array(size), Uint8Array.of(1), new Uint8Array(length))).toBe(false);
});
