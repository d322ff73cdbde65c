import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { verifySignature } from './verify-signature.ts';

const SPKI_PREFIX_BYTES = 22;
const pair = generateKeyPairSync('ml-dsa-44');
const publicKey = new Uint8Array(pair.publicKey.export({ format: 'der', type: 'spki' }).subarray(SPKI_PREFIX_BYTES));

describe('an ML-DSA-44 signature', () => {
  it('that OpenSSL made is one, and none that is altered', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.nat(2420 * 8 - 1), async (message, bit) => {
        const signature = new Uint8Array(sign(null, message, pair.privateKey));
        const altered = signature.slice();
        altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        expect(await verifySignature(publicKey, message, signature)).toBe(true);
        expect(await verifySignature(publicKey, message, altered)).toBe(false);
        expect(await verifySignature(publicKey, Uint8Array.of(...message, 0), signature)).toBe(false);
      }),
      { numRuns: 20 },
    );
  });

  it.each([
    [0, 0],
    [1311, 2420],
    [1312, 64],
    [1312, 2420],
    [1312, 2421],
    [32, 2420],
    [32, 64],
  ])('is none by zeros: a key of %d bytes with %d bytes', async (key, size) => {
    expect(await verifySignature(new Uint8Array(key), Uint8Array.of(1), new Uint8Array(size))).toBe(false);
  });
});
