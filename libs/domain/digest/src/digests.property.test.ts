import { createHmac, hash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import * as browser from './index.browser.ts';
import * as native from './index.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const message = fc.uint8Array({ maxLength: 300 });

describe('the pure SHA-256', () => {
  it('equals node:crypto on every input', () => {
    fc.assert(fc.property(message, (m) => hex(browser.sha256(m)) === hash('sha256', m)));
  });

  it('equals node:crypto on every length around the block boundaries, and no neighbour has the same digest', () => {
    const seen = new Set<string>();
    for (let length = 0; length <= 200; length++) {
      const m = new Uint8Array(length).fill(0xa5);
      const digest = hex(browser.sha256(m));
      expect(digest).toBe(hash('sha256', m));
      seen.add(digest);
    }
    expect(seen.size).toBe(201);
  });

  it('reads a view at its offset, not its whole buffer', () => {
    fc.assert(
      fc.property(message, fc.nat(20), (m, offset) => {
        const view = new Uint8Array([...new Uint8Array(offset), ...m, 1, 2, 3]).subarray(offset, offset + m.length);
        return hex(browser.sha256(view)) === hash('sha256', m);
      }),
    );
  });

  it('hashes a string as its UTF-8 bytes', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (s) => hex(browser.sha256(s)) === hex(native.sha256(s))));
  });
});

describe('the pure SHA-512', () => {
  it('equals node:crypto and the native entry on every input', () => {
    fc.assert(
      fc.property(message, (m) => {
        const digest = hash('sha512', m);
        expect([browser.sha512(m), native.sha512(m)].map(hex)).toEqual([digest, digest]);
      }),
    );
  });

  it('equals node:crypto on every length around the block boundaries, also of a view', () => {
    for (let length = 0; length <= 400; length++) {
      const m = new Uint8Array(length + 3).fill(0x5a).subarray(3);
      expect(hex(browser.sha512(m))).toBe(hash('sha512', m));
    }
  });
});

describe('HMAC-SHA-256', () => {
  it('equals node:crypto for every key length, and a changed message has another tag', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 140 }), message, (key, m) => {
        const expected = createHmac('sha256', key).update(m).digest('hex');
        expect(hex(browser.hmacSha256(key, m))).toBe(expected);
        expect(hex(native.hmacSha256(key, m))).toBe(expected);
        expect(hex(native.hmacSha256(key, Uint8Array.of(...m, 0)))).not.toBe(expected);
      }),
    );
  });
});

describe.each([
  ['Node', native.equalSecrets],
  ['browsers', browser.equalSecrets],
])('secrets in %s', (_, equal) => {
  it('are the same when every byte is', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), fc.nat(), (bytes, at) => {
        expect(equal(bytes, bytes.slice())).toBe(true);
        expect(equal(bytes, Uint8Array.of(...bytes, 0))).toBe(false);
        if (bytes.length === 0) return;
        const other = bytes.slice();
        other[at % bytes.length] = (other[at % bytes.length] ?? 0) ^ 1;
        expect(equal(bytes, other)).toBe(false);
      }),
    );
  });
});
