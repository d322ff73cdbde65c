import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createRecordRow, idOf } from '../../fixtures/rows.ts';
import { CLAIM_MAC_BYTES, formatKeyClaim, parseKeyClaim } from './idempotent.ts';

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });

describe('what a record keeps of its key', () => {
  it('is the row that the key would have, with the first half of its MAC', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.oneof(bytes(32), bytes(33)), bytes(32), (key, fingerprint, mac) => {
        const used = { scope: 'record:support-bot', idempotency_key: key, object_id: idOf(1), fingerprint, mac };
        const record = {
          ...createRecordRow(idOf(1), { idempotency_key: key }),
          leaf_index: 1,
          key_claim: formatKeyClaim(used),
        };
        expect(parseKeyClaim(record)).toEqual({ ...used, mac: mac.subarray(0, CLAIM_MAC_BYTES) });
      }),
    );
  });

  it('is nothing where it has a row of its own, or no key', () => {
    expect(parseKeyClaim({ ...createRecordRow(idOf(1)), leaf_index: 1, key_claim: null })).toBeUndefined();
  });
});
