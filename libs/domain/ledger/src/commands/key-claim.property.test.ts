import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createRecordRow, idOf } from '../../fixtures/rows.ts';
import { CLAIM_MAC_BYTES, formatKeyClaim, isSameFingerprint, parseKeyClaim, shortenFingerprint } from './idempotent.ts';

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });

describe('what a record keeps of its key', () => {
  it('is the row that the key would have, with the first half of its MAC', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1 }),
        fc.oneof(bytes(17), bytes(32), bytes(33)),
        bytes(32),
        (key, fingerprint, mac) => {
          const used = { scope: 'record:support-bot', idempotency_key: key, object_id: idOf(1), fingerprint, mac };
          const record = {
            ...createRecordRow(idOf(1), { idempotency_key: key }),
            leaf_index: 1,
            key_claim: formatKeyClaim(used),
          };
          expect(parseKeyClaim(record)).toEqual({ ...used, mac: mac.subarray(0, CLAIM_MAC_BYTES) });
        },
      ),
    );
  });

  it('has a fingerprint that is the whole one’s, and no other’s, in either form', () => {
    const whole = fc.oneof(
      bytes(32),
      bytes(32).map((hmac) => Uint8Array.of(2, ...hmac)),
    );
    fc.assert(
      fc.property(whole, fc.nat(31), (fingerprint, at) => {
        const short = shortenFingerprint(fingerprint);
        expect(short).toHaveLength(17);
        expect(shortenFingerprint(short)).toEqual(short);
        const start = fingerprint.length - 32;
        const other = fingerprint.with(start + at, (fingerprint[start + at] ?? 0) ^ 1);
        const ofOtherVersion = Uint8Array.of(3, ...fingerprint.subarray(start));
        for (const form of [fingerprint, short]) {
          expect([isSameFingerprint(form, fingerprint), isSameFingerprint(form, short)]).toEqual([true, true]);
          expect(isSameFingerprint(form, ofOtherVersion)).toBe(false);
          expect(isSameFingerprint(form, other)).toBe(form === short && at >= 16);
          for (const cut of [0, 1, 16]) expect(isSameFingerprint(form, form.subarray(0, cut))).toBe(false);
        }
      }),
    );
  });

  it('is nothing where it has a row of its own, or no key', () => {
    expect(parseKeyClaim({ ...createRecordRow(idOf(1)), leaf_index: 1, key_claim: null })).toBeUndefined();
  });
});
