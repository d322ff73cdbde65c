import { describe, expect, it } from '@jest/globals';
import type { UserCaller } from '@answer-evidence/access';
import { createCallerCache } from './caller-cache.ts';

const caller: UserCaller = {
  kind: 'user',
  workspaceId: 'w',
  tokenId: 't',
  userId: 'u',
  username: 'ada',
  role: 'member',
  expiresAt: 1,
};

describe('a caller cache', () => {
  it('is bounded: the oldest goes, a renewed one stays', () => {
    const cache = createCallerCache({ ageMs: 10, sizeMax: 3 });
    for (const hash of ['a', 'b', 'c', 'a', 'd']) cache.keep(hash, caller, 0);
    const held = ['a', 'b', 'c', 'd'].filter((hash) => cache.find(hash, 0) !== undefined);
    expect(held).toEqual(['a', 'c', 'd']);
  });

  it('counts age from the start of the reading', () => {
    const cache = createCallerCache({ ageMs: 10, sizeMax: 3 });
    cache.keep('a', caller, 5);
    expect(cache.find('a', 14)).toBe(caller);
    expect(cache.find('a', 15)).toBeUndefined();
  });

  it('remembers that a token was good after its answer has aged, until it turns out to be nobody’s', () => {
    const cache = createCallerCache({ ageMs: 10, sizeMax: 3 });
    cache.keep('a', caller, 5);
    expect([cache.has('a'), cache.find('a', 15), cache.has('a'), cache.has('b')]).toEqual([
      true,
      undefined,
      true,
      false,
    ]);
    cache.forget('a');
    expect(cache.has('a')).toBe(false);
  });
});
