import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { verifyEd25519 } from './verify-ed25519.ts';

const bytes = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'));

describe('verifyEd25519', () => {
  // RFC 8032, section 7.1, tests 1 to 3.
  it.each([
    [
      'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
      '',
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
    ],
    [
      '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
      '72',
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
    ],
    [
      'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
      'af82',
      '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
    ],
  ])('accepts the published signature by %s', async (key, message, signature) => {
    expect(await verifyEd25519(bytes(key), bytes(message), bytes(signature))).toBe(true);
  });

  it('accepts what a key signed, and nothing altered', async () => {
    const pair = generateKeyPairSync('ed25519');
    const key = new Uint8Array(pair.publicKey.export({ type: 'spki', format: 'der' }).subarray(-32));
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 80 }), fc.nat(), async (message, position) => {
        const signature = new Uint8Array(sign(null, message, pair.privateKey));
        expect(await verifyEd25519(key, message, signature)).toBe(true);
        const alteredMessage = message.with(position % message.length, (message[position % message.length] ?? 0) ^ 1);
        expect(await verifyEd25519(key, alteredMessage, signature)).toBe(false);
        const alteredSignature = signature.with(position % 64, (signature[position % 64] ?? 0) ^ 1);
        expect(await verifyEd25519(key, message, alteredSignature)).toBe(false);
      }),
      { numRuns: 30 },
    );
  });

  it('answers false for bytes that are no key or no signature', async () => {
    expect(await verifyEd25519(new Uint8Array(31), new Uint8Array(1), new Uint8Array(64))).toBe(false);
    expect(await verifyEd25519(new Uint8Array(32).fill(0xff), new Uint8Array(1), new Uint8Array(64))).toBe(false);
    expect(await verifyEd25519(new Uint8Array(32).fill(1), new Uint8Array(1), new Uint8Array(63))).toBe(false);
  });
});
