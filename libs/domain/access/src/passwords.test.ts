import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { findPasswordFault, formatPasswordSecret, normalizePassword, parsePasswordSecret } from './index.ts';

describe('findPasswordFault', () => {
  it.each([
    'twelve chars',
    'x'.repeat(8) + '1234',
    ' leading and trailing ',
    'пароль из слов',
    '密码必须足够长的十二个字',
    '🔑🔒🗝️🚪🏠🌍🌙⭐🔥💧🌊',
    `manager of the tests`,
    'abcde'.repeat(51) + 'z',
  ])('accepts %p', (password) => {
    expect(findPasswordFault(normalizePassword(password), 'manager')).toBeUndefined();
  });

  it.each([
    ['elevenchars', /at least 12/],
    ['', /at least 12/],
    // Characters are counted, not UTF-16 units.
    ['🔑🔒🚪🏠🌍🌙', /at least 12/],
    ['abcde'.repeat(51) + 'zz', /at most 256/],
    ['aaaaaaaaaaaa', /different/],
    ['abcdabcdabcd', /different/],
    ['Password1234', /common/],
    ['managermanager', /user name/],
    ['manager-12345', /user name/],
    ['ManagerMANAGER1', /user name/],
  ])('refuses %p', (password, fault) => {
    expect(findPasswordFault(password, 'manager')).toMatch(fault);
  });

  it('is the same for a letter however a keyboard composes it, and strips nothing', () => {
    expect(normalizePassword('cafe\u0301 noir au lait')).toBe(normalizePassword('caf\u00e9 noir au lait'));
    expect(normalizePassword(' with spaces ')).toBe(' with spaces ');
    expect(normalizePassword('Case')).not.toBe(normalizePassword('case'));
    // Compatibility forms stay apart: they are other characters.
    expect(normalizePassword('\ufb01')).toBe('\ufb01');
  });
});

describe('a password secret', () => {
  const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 });
  const id = fc.uuid();

  it('says again what it was made of, and is of one form', () => {
    fc.assert(
      fc.property(id, id, bytes, (workspaceId, memberId, secret) => {
        const text = formatPasswordSecret({ workspaceId, memberId, secret });
        expect(text).toMatch(/^aep_[A-Za-z0-9_-]{86}$/);
        expect(parsePasswordSecret(text)).toEqual({ workspaceId, memberId, secret });
      }),
    );
  });

  it('is not read from anything else, and no fault quotes it', () => {
    const secret = formatPasswordSecret({
      workspaceId: '0199f3c2-0000-7000-8000-000000000001',
      memberId: '0199f3c2-0000-7000-8000-000000000002',
      secret: new Uint8Array(32).fill(7),
    });
    for (const wrong of [
      '',
      secret.slice(0, -1),
      `${secret}A`,
      `aeu${secret.slice(3)}`,
      `${secret.slice(0, -1)}=`,
      `${secret.slice(0, -1)}B`,
    ]) {
      expect(() => parsePasswordSecret(wrong)).toThrow(expect.objectContaining({ name: 'EncodingError' }));
      try {
        parsePasswordSecret(wrong);
      } catch (error) {
        expect(String(error)).not.toContain('BwcHBw');
      }
    }
  });
});
