import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { COMMITMENT_KEY_BYTES, deriveRecordKey } from './commit.ts';
import { hashNamedId } from './hash-named-id.ts';

const KEY = new Uint8Array(COMMITMENT_KEY_BYTES).fill(7);

describe('the hash of the id of a person or a session', () => {
  it.each(['actor', 'session'] as const)(
    'is HMAC-SHA256 under the tenant key, over a label of the %s and the id',
    (kind) => {
      for (const id of ['', 'anna@example.com', 'Zoë \u{1F600}', 'x'.repeat(100_000)]) {
        const expected = createHmac('sha256', KEY).update(`answer-evidence/${kind}-id/v1\n`).update(id).digest('hex');
        expect(hashNamedId(KEY, kind, id)).toBe(`hmac-sha256:${expected}`);
      }
    },
  );

  it('stays what it is', () => {
    expect(hashNamedId(KEY, 'actor', 'anna')).toBe(
      'hmac-sha256:4aeda7ade5b9757709fce108e10071f4ce698bfb3420aa79df304d7d319a52c6',
    );
    expect(hashNamedId(KEY, 'session', 'anna')).toBe(
      'hmac-sha256:5a908be5bb1ad55ec51c1b58fc5ad00088c3fcc85b5263b5b02be776540f3020',
    );
  });

  it('differs by id, by kind and by key, and is not the key of a record', () => {
    const others = [
      hashNamedId(KEY, 'actor', 'anna'),
      hashNamedId(KEY, 'actor', 'Anna'),
      hashNamedId(KEY, 'session', 'anna'),
      hashNamedId(new Uint8Array(COMMITMENT_KEY_BYTES), 'actor', 'anna'),
      `hmac-sha256:${Buffer.from(deriveRecordKey(KEY, Buffer.from('anna'))).toString('hex')}`,
    ];
    expect(new Set(others).size).toBe(others.length);
  });
});
