import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createFixtureSigner, verifySignature } from '../fixtures/signer.ts';
import {
  COSIGNATURE_ED25519,
  COSIGNATURE_ML_DSA_44,
  cosignatureMessage,
  ED25519,
  formatCosignature,
  formatCosignatureLine,
  NoteError,
  parseCosignature,
  signCosignature,
  verifyCosignature,
} from './index.ts';

const TEXT = 'example.com/log\n3\nNmQuc8JUCrEh46a/lUWwokmCzYMOsT080Z3jzmwCHsE=\n';
const RUNS = { ed25519: 100, mlDsa44: 20 };

describe.each([
  ['an Ed25519 cosignature', COSIGNATURE_ED25519, 72, RUNS.ed25519],
  ['an ML-DSA-44 cosignature', COSIGNATURE_ML_DSA_44, 2428, RUNS.mlDsa44],
] as const)('%s', (_name, type, length, numRuns) => {
  const witness = createFixtureSigner('witness.example/w1', type, 7);

  it('verifies as it was made, at every time from 0 on', async () => {
    await fc.assert(
      fc.asyncProperty(fc.maxSafeNat(), async (timestamp) => {
        const { name, keyId, signature } = signCosignature(TEXT, witness.vkey, timestamp, witness.sign);
        expect([name, keyId]).toEqual([witness.vkey.name, witness.vkey.id]);
        const verified = await verifyCosignature(TEXT, witness.vkey, signature, verifySignature);
        expect(verified.timestamp).toBe(timestamp);
        expect(formatCosignature(verified)).toEqual(signature);
      }),
      { numRuns },
    );
  });

  it('never verifies with any bit of it, or of the text, changed', async () => {
    const { signature } = signCosignature(TEXT, witness.vkey, 1_700_000_000, witness.sign);
    await fc.assert(
      fc.asyncProperty(fc.nat(signature.length * 8 - 1), async (bit) => {
        const altered = signature.slice();
        altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        await expect(verifyCosignature(TEXT, witness.vkey, altered, verifySignature)).rejects.toThrow(NoteError);
      }),
      { numRuns },
    );
    await fc.assert(
      fc.asyncProperty(fc.nat(TEXT.length - 1), fc.constantFrom('', '0', 'x', '\n'), async (at, put) => {
        const altered = TEXT.slice(0, at) + put + TEXT.slice(at + 1);
        fc.pre(altered !== TEXT);
        await expect(verifyCosignature(altered, witness.vkey, signature, verifySignature)).rejects.toThrow(NoteError);
      }),
      { numRuns },
    );
  });

  it('does not verify by another key, nor by a key that is not for cosignatures', async () => {
    const { signature } = signCosignature(TEXT, witness.vkey, 1, witness.sign);
    const other = createFixtureSigner('witness.example/w1', type, 8);
    await expect(verifyCosignature(TEXT, other.vkey, signature, verifySignature)).rejects.toThrow('is invalid');
    const plain = createFixtureSigner('witness.example/w1', ED25519, 7).vkey;
    await expect(verifyCosignature(TEXT, plain, signature, verifySignature)).rejects.toThrow('not one of cosignatures');
    expect(() => signCosignature(TEXT, plain, 1, witness.sign)).toThrow(NoteError);
    expect(() => formatCosignatureLine(plain, parseCosignature(signature))).toThrow(NoteError);
  });

  it('is not a signature of the text alone, nor of the text at another time', async () => {
    const { signature: cosignedAt5 } = signCosignature(TEXT, witness.vkey, 5, witness.sign);
    const plain = formatCosignature({ timestamp: 5, signature: witness.sign(TEXT) });
    const late = formatCosignature({ ...parseCosignature(cosignedAt5), timestamp: 6 });
    for (const bytes of [plain, late]) {
      await expect(verifyCosignature(TEXT, witness.vkey, bytes, verifySignature)).rejects.toThrow('is invalid');
    }
  });

  it('has a time of at most 2^63 - 1, and one above 2^53 - 1 counts as the future', () => {
    const bytes = (time: bigint): Uint8Array => {
      const all = new Uint8Array(length);
      new DataView(all.buffer).setBigUint64(0, time);
      return all;
    };
    expect(parseCosignature(bytes(2n ** 53n - 1n)).timestamp).toBe(Number.MAX_SAFE_INTEGER);
    for (const time of [2n ** 53n, 2n ** 63n - 1n]) expect(() => parseCosignature(bytes(time))).toThrow('far future');
    for (const time of [2n ** 63n, 2n ** 64n - 1n]) expect(() => parseCosignature(bytes(time))).toThrow('2^63 - 1');
    for (const time of [-1, 0.5, NaN, 2 ** 53]) expect(() => cosignatureMessage(TEXT, time)).toThrow(NoteError);
  });

  it('has as many bytes as its kind has', async () => {
    for (const size of [0, 8, 64, 71, 73, 2420, 2427, 2429])
      expect(() => parseCosignature(new Uint8Array(size))).toThrow('length');
    const other = new Uint8Array(72 + 2428 - length);
    await expect(verifyCosignature(TEXT, witness.vkey, other, verifySignature)).rejects.toThrow('length');
    expect(() => formatCosignatureLine(witness.vkey, parseCosignature(other))).toThrow('length');
  });

  it('is read wherever its bytes lie in memory', () => {
    const { signature } = signCosignature(TEXT, witness.vkey, 77, witness.sign);
    const within = new Uint8Array(length + 28);
    within.set(signature, 9);
    expect(parseCosignature(within.subarray(9, 9 + signature.length)).timestamp).toBe(77);
  });
});

describe('an ML-DSA-44 cosignature alone', () => {
  const witness = createFixtureSigner('witness.example/w1', COSIGNATURE_ML_DSA_44, 7);

  it('is of the whole tree as a subtree, under the name of the witness (C2SP tlog-cosignature)', () => {
    const { signature } = signCosignature(TEXT, witness.vkey, 0x0102030405, witness.sign);
    const message = Buffer.concat([
      Buffer.from('subtree/v1\n\0'),
      Buffer.from('\x12witness.example/w1'),
      Buffer.from('0000000102030405', 'hex'),
      Buffer.from('\x0fexample.com/log'),
      Buffer.from('00000000000000000000000000000003', 'hex'),
      Buffer.from('NmQuc8JUCrEh46a/lUWwokmCzYMOsT080Z3jzmwCHsE=', 'base64'),
    ]);
    expect(verifySignature(witness.vkey.publicKey, message, signature.slice(8))).toBe(true);
  });

  it('does not cover extension lines, and is of no text that is not a checkpoint', async () => {
    const { signature } = signCosignature(TEXT, witness.vkey, 1, witness.sign);
    expect(await verifyCosignature(`${TEXT}extension\n`, witness.vkey, signature, verifySignature)).toBeDefined();
    expect(() => signCosignature('text\n', witness.vkey, 1, witness.sign)).toThrow(NoteError);
    expect(() => signCosignature(TEXT.replace('example.com', 'e'.repeat(300)), witness.vkey, 1, witness.sign)).toThrow(
      'longer than 255 bytes',
    );
  });
});
