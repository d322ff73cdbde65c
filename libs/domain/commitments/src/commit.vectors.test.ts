import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { commitKeyed, COMMITMENT_KEY_BYTES, commitPlain, deriveRecordKey } from './commit.ts';

const TENANT_KEY = new Uint8Array(COMMITMENT_KEY_BYTES).fill(7);
const SALT = new Uint8Array(COMMITMENT_KEY_BYTES).map((_, n) => n);
const TEXTS = ['', 'abc', 'Grüße \u{1F600}\n', 'x'.repeat(100_000)];

describe('a plain commitment', () => {
  it('of "abc" and of nothing is what FIPS 180-4 says', () => {
    expect(commitPlain('abc')).toBe('sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(commitPlain('')).toBe('sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  });

  it('is SHA-256 of the UTF-8 bytes', () => {
    for (const text of TEXTS)
      expect(commitPlain(text)).toBe(`sha256:${createHash('sha256').update(text).digest('hex')}`);
  });
});

describe('a keyed commitment', () => {
  const key = deriveRecordKey(TENANT_KEY, SALT);

  it('hangs on a key made of the tenant’s key and the record’s random bytes', () => {
    const expected = createHmac('sha256', TENANT_KEY).update('answer-evidence/record-key/v1\n').update(SALT).digest();
    expect(Buffer.from(key)).toEqual(expected);
  });

  it.each(['question', 'answer'] as const)('is HMAC-SHA256 over the label of the %s and the text', (field) => {
    for (const text of TEXTS) {
      const expected = createHmac('sha256', key).update(`${field}\n`).update(text).digest('hex');
      expect(commitKeyed(key, field, text)).toBe(`hmac-sha256:${expected}`);
    }
  });

  it('differs by field, by record and by tenant', () => {
    const others = [
      commitKeyed(key, 'question', 'same'),
      commitKeyed(key, 'answer', 'same'),
      commitKeyed(deriveRecordKey(TENANT_KEY, SALT.toReversed()), 'question', 'same'),
      commitKeyed(deriveRecordKey(SALT, SALT), 'question', 'same'),
    ];
    expect(new Set(others).size).toBe(others.length);
  });
});
