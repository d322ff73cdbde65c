import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { ENTRY_TYPES, type JsonObject } from '@answer-evidence/contracts';
import { hashCore, hashCoreText } from './core-hash.ts';
import { hashItem, hashItemText, ITEM_SALT_BYTES } from './item-hash.ts';

/** SHA-256 of the parts by the platform, apart from the code under test. */
function sha256Of(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return `sha256:${hash.digest('hex')}`;
}

describe('the hash of a core', () => {
  it.each(ENTRY_TYPES)('is SHA-256 over the label of %s and the canonical text', (type) => {
    const core = { nonce: '00'.repeat(16), id: 'ü\u2028"\\', n: 1.0, list: [true, null] };
    const text = '{"id":"ü\u2028\\"\\\\","list":[true,null],"n":1,"nonce":"00000000000000000000000000000000"}';
    const expected = sha256Of(`answer-evidence/${type}/v1\n`, text);
    expect(hashCore(type, core)).toBe(expected);
    expect(`sha256:${Buffer.from(hashCoreText(type, text)).toString('hex')}`).toBe(expected);
  });

  it('tells types of equal cores apart', () => {
    const hashes = ENTRY_TYPES.map((type) => hashCore(type, {}));
    expect(new Set(hashes).size).toBe(ENTRY_TYPES.length);
  });
});

describe('the hash of an item', () => {
  const salt = '000102030405060708090a0b0c0d0e0f';
  const cases: readonly (readonly [JsonObject | string, string])[] = [
    ['because', '"because"'],
    [{}, '{}'],
    [{ b: '\u{1F600}', a: [1e21, -0] }, '{"a":[1e+21,0],"b":"\u{1F600}"}'],
  ];

  it.each(cases)('is SHA-256 over label, salt and canonical text: %j', (item, text) => {
    const expected = sha256Of('answer-evidence/item/v1\n', Buffer.from(salt, 'hex'), text);
    expect(hashItem(salt, item)).toBe(expected);
    expect(hashItemText(Buffer.from(salt, 'hex'), text)).toBe(expected);
  });

  it('needs a salt of its size in lower-case hex', () => {
    expect(ITEM_SALT_BYTES).toBe(16);
    for (const wrong of ['', salt.slice(2), `${salt}00`, salt.toUpperCase(), `g${salt.slice(1)}`]) {
      expect(() => hashItem(wrong, {})).toThrow();
    }
  });

  it('changes with the salt', () => {
    expect(hashItem(salt, {})).not.toBe(hashItem('ff'.repeat(16), {}));
  });
});
