import { describe, expect, it } from '@jest/globals';
import { parseHex } from '@answer-evidence/encoding';
import { createEd25519Signer, verifyEd25519 } from './ed25519.ts';

/** RFC 8032 section 7.1, TEST 1 and TEST 2: seed, public key, message, signature. */
const VECTORS = [
  {
    seed: '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
    publicKey: 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    message: '',
    signature:
      'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  },
  {
    seed: '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
    publicKey: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    message: 'r',
    signature:
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  },
];

describe('Ed25519 (RFC 8032 section 7.1)', () => {
  it('has the public key and the signature of each vector', () => {
    for (const { seed, publicKey, message, signature } of VECTORS) {
      const signer = createEd25519Signer(parseHex(seed));
      expect(signer.publicKey).toEqual(parseHex(publicKey));
      expect(signer.sign(message)).toEqual(parseHex(signature));
      expect(verifyEd25519(parseHex(publicKey), Buffer.from(message), parseHex(signature))).toBe(true);
    }
  });

  it('refuses a vector with any one bit of key, message or signature changed', () => {
    const [, vector] = VECTORS;
    const parts = [parseHex(vector?.publicKey ?? ''), Buffer.from('r'), parseHex(vector?.signature ?? '')] as const;
    for (const part of parts) {
      for (let bit = 0; bit < part.length * 8; bit++) {
        const at = bit >> 3;
        part[at] = (part[at] ?? 0) ^ (1 << (bit & 7));
        expect(verifyEd25519(...parts)).toBe(false);
        part[at] = (part[at] ?? 0) ^ (1 << (bit & 7));
      }
    }
    expect(verifyEd25519(...parts)).toBe(true);
  });

  it('answers false, and does not throw, for keys and signatures of no such form', () => {
    const message = Buffer.from('r');
    for (const size of [0, 1, 31, 33, 64]) {
      expect(verifyEd25519(new Uint8Array(size), message, new Uint8Array(64))).toBe(false);
    }
    for (const size of [0, 63, 65])
      expect(verifyEd25519(new Uint8Array(32), message, new Uint8Array(size))).toBe(false);
    expect(verifyEd25519(new Uint8Array(32).fill(0xff), message, new Uint8Array(64).fill(0xff))).toBe(false);
  });

  it('still tells keys apart when there are more than it remembers', () => {
    const signers = Array.from({ length: 250 }, (_, i) => createEd25519Signer(new Uint8Array(32).fill(i)));
    const message = Buffer.from('note\n');
    for (let round = 0; round < 2; round++) {
      signers.forEach((signer, i) => {
        const other = signers[(i + 1) % signers.length] ?? signer;
        const signature = signer.sign('note\n');
        expect(verifyEd25519(signer.publicKey, message, signature)).toBe(true);
        expect(verifyEd25519(other.publicKey, message, signature)).toBe(false);
      });
    }
  });
});
