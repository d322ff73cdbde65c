import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatUuid } from '@answer-evidence/encoding';
import { formatUserToken, parseUserToken } from './user-token.ts';

const ids = fc.uint8Array({ minLength: 16, maxLength: 16 }).map(formatUuid);
const secrets = fc.uint8Array({ minLength: 32, maxLength: 32 });

describe('a user token', () => {
  it('reads as what it was written from', () => {
    fc.assert(
      fc.property(ids, secrets, (tokenId, secret) => {
        const text = formatUserToken(tokenId, secret);
        expect(text).toMatch(/^aeu_[0-9a-f]{32}_[A-Za-z0-9_-]{43}$/);
        expect(parseUserToken(text)).toEqual({ tokenId, secret: Uint8Array.from(secret) });
      }),
    );
  });

  it('has one form: any other text of its length is another token or none', () => {
    fc.assert(
      fc.property(ids, secrets, fc.nat(79), fc.string({ minLength: 1, maxLength: 1 }), (id, secret, at, put) => {
        const text = formatUserToken(id, secret);
        const altered = text.slice(0, at) + put + text.slice(at + 1);
        fc.pre(altered !== text);
        let read: string | undefined;
        try {
          const token = parseUserToken(altered);
          read = formatUserToken(token.tokenId, token.secret);
        } catch (error) {
          expect(String(error)).toMatch(/^EncodingError: /);
        }
        expect(read === undefined || read === altered).toBe(true);
      }),
    );
  });

  it.each(['', 'aeu_', 'aeu__', 'AEU_', 'eyJhbGciOiJFZERTQSJ9.e30.c2ln'])('is not "%s"', (text) => {
    expect(() => parseUserToken(text)).toThrow('not a user token');
  });

  it('is not written of anything but a UUID and 32 bytes', () => {
    const id = '0199f3c2-0000-7000-8000-0000000000a1';
    expect(() => formatUserToken(id, new Uint8Array(31))).toThrow('32 secret bytes');
    expect(() => formatUserToken(id.replaceAll('-', ''), new Uint8Array(32))).toThrow('UUID');
  });
});
