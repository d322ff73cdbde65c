import { describe, expect, it } from '@jest/globals';
import type { TrustFile } from '@answer-evidence/contracts';
import { findStrangeKeys, keepPins, readPins } from './pins.ts';

const trust = (...vkeys: readonly string[]): TrustFile => ({
  format: 'answer-evidence-trust/v1',
  logs: [
    {
      origin: 'example.com/log',
      keys: vkeys.map((vkey) => ({ vkey, first_tree_size: 0, last_tree_size: null })),
    },
  ],
  witness_policy: null,
  tsa_roots: [],
});

describe('the pinned keys', () => {
  it('are kept for each workspace, until they are forgotten', () => {
    const kept = new Map<string, string>();
    const store = {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, value: string) => void kept.set(name, value),
      removeItem: (name: string) => void kept.delete(name),
    };
    keepPins(store, 'one', trust('a'));
    expect([readPins(store, 'one'), readPins(store, 'another')]).toEqual([trust('a'), null]);
    keepPins(store, 'one', null);
    expect([readPins(store, 'one'), kept.size]).toEqual([null, 0]);
    kept.set('answer-evidence.pins.one', '{"format":"something else"}');
    expect(readPins(store, 'one')).toBeNull();
  });

  it('name as strange whatever key the service has and they do not', () => {
    expect(findStrangeKeys(trust('a', 'b'), trust('a', 'c'))).toEqual(['c']);
    expect(findStrangeKeys(trust('a', 'b'), trust('a'))).toEqual([]);
  });
});
