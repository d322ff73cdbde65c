import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createFixtureSigner, verifyEd25519 } from '../fixtures/signer.ts';
import {
  COSIGNATURE_ED25519,
  cosignatureMessage,
  createVkey,
  ED25519,
  formatCosignature,
  formatCosignatureLine,
  NoteError,
  parseCosignature,
  signCosignature,
  verifyCosignature,
} from './index.ts';

const TEXT = 'example.com/log\n3\nNmQuc8JUCrEh46a/lUWwokmCzYMOsT080Z3jzmwCHsE=\n';
const witness = createFixtureSigner('witness.example/w1', COSIGNATURE_ED25519, 7);

describe('an Ed25519 cosignature', () => {
  it('verifies as it was made, at every time from 0 on', async () => {
    await fc.assert(
      fc.asyncProperty(fc.maxSafeNat(), async (timestamp) => {
        const { name, keyId, signature } = signCosignature(TEXT, witness.vkey, timestamp, witness.sign);
        expect([name, keyId]).toEqual([witness.vkey.name, witness.vkey.id]);
        const verified = await verifyCosignature(TEXT, witness.vkey, signature, verifyEd25519);
        expect(verified.timestamp).toBe(timestamp);
        expect(formatCosignature(verified)).toEqual(signature);
      }),
    );
  });

  it('never verifies with any bit of it, or of the text, changed', async () => {
    const { signature } = signCosignature(TEXT, witness.vkey, 1_700_000_000, witness.sign);
    await fc.assert(
      fc.asyncProperty(fc.nat(signature.length * 8 - 1), async (bit) => {
        const altered = signature.slice();
        altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        await expect(verifyCosignature(TEXT, witness.vkey, altered, verifyEd25519)).rejects.toThrow(NoteError);
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.nat(TEXT.length - 1), fc.constantFrom('', '0', 'x', '\n'), async (at, put) => {
        const altered = TEXT.slice(0, at) + put + TEXT.slice(at + 1);
        fc.pre(altered !== TEXT);
        await expect(verifyCosignature(altered, witness.vkey, signature, verifyEd25519)).rejects.toThrow('is invalid');
      }),
    );
  });

  it('does not verify by another key, nor by a key that is not for cosignatures', async () => {
    const { signature } = signCosignature(TEXT, witness.vkey, 1, witness.sign);
    const other = createFixtureSigner('witness.example/w1', COSIGNATURE_ED25519, 8);
    await expect(verifyCosignature(TEXT, other.vkey, signature, verifyEd25519)).rejects.toThrow('is invalid');
    const plain = createVkey('witness.example/w1', ED25519, witness.vkey.publicKey);
    await expect(verifyCosignature(TEXT, plain, signature, verifyEd25519)).rejects.toThrow(
      'not an Ed25519 cosignature key',
    );
    expect(() => signCosignature(TEXT, plain, 1, witness.sign)).toThrow(NoteError);
    expect(() => formatCosignatureLine(plain, parseCosignature(signature))).toThrow(NoteError);
  });

  it('is not a signature of the text alone, nor of the text at another time', async () => {
    const plain = formatCosignature({ timestamp: 5, signature: witness.sign(TEXT) });
    const late = formatCosignature({ timestamp: 6, signature: witness.sign(cosignatureMessage(TEXT, 5)) });
    for (const bytes of [plain, late]) {
      await expect(verifyCosignature(TEXT, witness.vkey, bytes, verifyEd25519)).rejects.toThrow('is invalid');
    }
  });

  it('has a time of at most 2^63 - 1, and one above 2^53 - 1 counts as the future', () => {
    const bytes = (time: bigint): Uint8Array => {
      const all = new Uint8Array(72);
      new DataView(all.buffer).setBigUint64(0, time);
      return all;
    };
    expect(parseCosignature(bytes(2n ** 53n - 1n)).timestamp).toBe(Number.MAX_SAFE_INTEGER);
    for (const time of [2n ** 53n, 2n ** 63n - 1n]) expect(() => parseCosignature(bytes(time))).toThrow('far future');
    for (const time of [2n ** 63n, 2n ** 64n - 1n]) expect(() => parseCosignature(bytes(time))).toThrow('2^63 - 1');
    for (const time of [-1, 0.5, NaN, 2 ** 53]) expect(() => cosignatureMessage(TEXT, time)).toThrow(NoteError);
  });

  it('has 72 bytes', () => {
    for (const size of [0, 8, 64, 71, 73, 2428]) expect(() => parseCosignature(new Uint8Array(size))).toThrow('length');
    expect(() => formatCosignature({ timestamp: 1, signature: new Uint8Array(63) })).toThrow('length');
  });

  it('is read wherever its bytes lie in memory', () => {
    const { signature } = signCosignature(TEXT, witness.vkey, 77, witness.sign);
    const within = new Uint8Array(100);
    within.set(signature, 9);
    expect(parseCosignature(within.subarray(9, 9 + signature.length)).timestamp).toBe(77);
  });
});
