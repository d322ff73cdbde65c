import { describe, expect, it } from '@jest/globals';
import { createCallerCache } from './caller-cache.ts';
import type { KnownCaller } from './read-caller.ts';

function callerOf(workspaceId: string): KnownCaller {
  return {
    caller: { kind: 'user', workspaceId, tokenId: 't', userId: 'u', username: 'ada', role: 'member', expiresAt: 1 },
    endsAs: 'token_expired',
  };
}

const caller = callerOf('w');

describe('a caller cache', () => {
  it('is bounded: the oldest goes, a renewed one stays', () => {
    const cache = createCallerCache({ ageMs: 10, sizeMax: 3 });
    for (const hash of ['a', 'b', 'c', 'a', 'd']) cache.keep(hash, callerOf(hash), 0);
    const held = ['a', 'b', 'c', 'd'].filter((hash) => cache.find(hash, 0) !== undefined);
    expect(held).toEqual(['a', 'c', 'd']);
  });

  it('has a quarter of its room for the tokens of one workspace, whose oldest goes for its next one', () => {
    const cache = createCallerCache({ ageMs: 10, sizeMax: 12 });
    const theirs = callerOf('theirs');
    cache.keep('theirs', theirs, 0);
    for (let n = 0; n < 100; n++) cache.keep(`ours ${n}`, caller, 0);
    expect(cache.find('theirs', 0)).toBe(theirs);
    expect(['ours 0', 'ours 96', 'ours 97', 'ours 99'].map((hash) => cache.has(hash))).toEqual([
      false,
      false,
      true,
      true,
    ]);
    cache.forget('ours 99');
    cache.keep('ours 97', caller, 0);
    cache.keep('ours 100', caller, 0);
    expect(['ours 97', 'ours 98', 'ours 100'].map((hash) => cache.has(hash))).toEqual([true, true, true]);
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
