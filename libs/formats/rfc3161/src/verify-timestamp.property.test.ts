import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CRAFTED_DIGEST, CRAFTED_NONCE, type Crafter, encodeDer, openCrafter } from '@answer-evidence/testing';
import { DER_SIZE_MAX_BYTES } from './der.ts';
import { TimestampError, verifyTimestamp } from './index.ts';

let crafter: Crafter;
let good: Uint8Array;
beforeAll(async () => {
  crafter = await openCrafter();
  good = await crafter.craft();
});
afterAll(() => crafter.close());

/** What the response says. Its own hash, and what reads revocations, may differ where nothing is signed. */
async function verify(response: Uint8Array) {
  const expected = { digest: CRAFTED_DIGEST, nonce: CRAFTED_NONCE, rootsPem: [crafter.rootPem] };
  const { genTimeMicros, accuracyMicros, policyOid, serialNumber, authority, pinSha256, endsAtMicros } =
    await verifyTimestamp(response, expected);
  return { genTimeMicros, accuracyMicros, policyOid, serialNumber, authority, pinSha256, endsAtMicros };
}

describe('a time-stamp response', () => {
  it('is refused with a coded error when any byte of it is another one, unless nothing that was signed depends on it', async () => {
    const verified = await verify(good);
    // Outside of what is signed stand versions, the list of digest algorithms and the parameters of some algorithms.
    let harmless = 0;
    await fc.assert(
      fc.asyncProperty(fc.nat(good.length - 1), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
        const altered = good.slice();
        altered[at] = (altered[at] ?? 0) ^ flip;
        try {
          expect(await verify(altered)).toEqual(verified);
          harmless += 1;
        } catch (error) {
          expect(error).toBeInstanceOf(TimestampError);
        }
      }),
      { numRuns: 200 },
    );
    expect(harmless).toBeLessThan(20);
  });

  it('is refused with a coded error when it is cut, lengthened, or no response at all', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(good.length - 1), async (length) => {
        await expect(verify(good.slice(0, length))).rejects.toBeInstanceOf(TimestampError);
      }),
      { numRuns: 100 },
    );
    await expect(verify(Buffer.concat([good, Uint8Array.of(0)]))).rejects.toBeInstanceOf(TimestampError);
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 500 }), async (bytes) => {
        await expect(verify(bytes)).rejects.toBeInstanceOf(TimestampError);
      }),
    );
  });

  it('is refused, however deep, wide or large it is', async () => {
    const size = 60_000;
    const deep = new Uint8Array(size);
    for (let at = 0; at < size; at += 4) deep.set([0x30, 0x82, (size - at - 4) >> 8, (size - at - 4) & 0xff], at);
    const wide = encodeDer(
      0x30,
      new Uint8Array(size).map((_, n) => (n % 2 === 0 ? 5 : 0)),
    );
    for (const bytes of [deep, wide, new Uint8Array(DER_SIZE_MAX_BYTES + 1), new Uint8Array(DER_SIZE_MAX_BYTES)]) {
      await expect(verify(bytes)).rejects.toBeInstanceOf(TimestampError);
    }
  });
});
