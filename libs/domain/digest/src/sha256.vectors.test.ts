import { describe, expect, it } from '@jest/globals';
import * as browser from './index.browser.ts';
import * as native from './index.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'hex'));

/** NIST, FIPS 180 example computations, and the empty message. */
const SHA256: readonly (readonly [string, string])[] = [
  ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  [
    'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
    '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
  ],
  [
    'abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu',
    'cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1',
  ],
  ['a'.repeat(1_000_000), 'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0'],
];

/** RFC 4231 section 4, cases 1 to 4, 6 and 7 (case 5 is a truncated tag). */
const HMAC_SHA256: readonly (readonly [string, string, string])[] = [
  ['0b'.repeat(20), '4869205468657265', 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7'],
  [
    '4a656665',
    '7768617420646f2079612077616e7420666f72206e6f7468696e673f',
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  ],
  ['aa'.repeat(20), 'dd'.repeat(50), '773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe'],
  [
    '0102030405060708090a0b0c0d0e0f10111213141516171819',
    'cd'.repeat(50),
    '82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b',
  ],
  [
    'aa'.repeat(131),
    Buffer.from('Test Using Larger Than Block-Size Key - Hash Key First').toString('hex'),
    '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
  ],
  [
    'aa'.repeat(131),
    Buffer.from(
      'This is a test using a larger than block-size key and a larger than block-size data. ' +
        'The key needs to be hashed before being used by the HMAC algorithm.',
    ).toString('hex'),
    '9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2',
  ],
];

describe.each([
  ['native', native],
  ['browser', browser],
])('the %s entry', (_, { sha256, sha256Hex, hmacSha256 }) => {
  it.each(SHA256)('gives the published SHA-256 (%#)', (message, digest) => {
    expect(hex(sha256(message))).toBe(digest);
    expect(hex(sha256(new TextEncoder().encode(message)))).toBe(digest);
    expect([sha256Hex(message), sha256Hex(new TextEncoder().encode(message))]).toEqual([digest, digest]);
  });

  it.each(HMAC_SHA256)('gives the published HMAC-SHA-256 (%#)', (key, message, tag) => {
    expect(hex(hmacSha256(bytes(key), bytes(message)))).toBe(tag);
    expect(hex(hmacSha256(bytes(key), Buffer.from(message, 'hex').toString('latin1')))).toBe(
      hex(hmacSha256(bytes(key), new TextEncoder().encode(Buffer.from(message, 'hex').toString('latin1')))),
    );
  });

  it('returns a plain Uint8Array', () => {
    expect(Object.getPrototypeOf(sha256('a'))).toBe(Uint8Array.prototype);
    expect(Object.getPrototypeOf(hmacSha256(new Uint8Array(32), 'a'))).toBe(Uint8Array.prototype);
  });
});
