import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { keysSigning, type LogKeyChange, rangesOf, stateOfKey } from './log-keys.ts';

/** Rotations at ascending leaves: each adds a key and, some leaves later, retires the one before. */
const rotations = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 })), { maxLength: 5 })
  .map((gaps) => {
    const changes: LogKeyChange[] = [];
    let leaf = 0;
    gaps.forEach(([before, overlap], n) => {
      leaf += before;
      changes.push({ vkey: `key ${n + 1}`, change: 'added', leafIndex: leaf });
      leaf += overlap;
      changes.push({ vkey: `key ${n}`, change: 'retired', leafIndex: leaf });
    });
    return changes;
  });

describe('the keys of a log', () => {
  it('sign every tree: those whose entry the tree holds, and whose retirement it does not', () => {
    fc.assert(
      fc.property(rotations, fc.integer({ min: 0, max: 120 }), (changes, size) => {
        const live = new Set(['key 0']);
        for (const { vkey, change, leafIndex } of changes) {
          if (leafIndex >= size) continue;
          if (change === 'added') live.add(vkey);
          else live.delete(vkey);
        }
        const signing = keysSigning(rangesOf('key 0', changes), size).map(({ vkey }) => vkey);
        expect(signing).toEqual([...live].sort());
        expect(signing.length === 1 || signing.length === 2).toBe(true);
      }),
    );
  });

  it('are active one at a time; a newer one is next until the older is retired', () => {
    fc.assert(
      fc.property(rotations, fc.nat(), (changes, cut) => {
        const keys = rangesOf('key 0', changes.slice(0, changes.length === 0 ? 0 : cut % (changes.length + 1)));
        const states = keys.map((key) => stateOfKey(keys, key));
        expect(states.filter((state) => state === 'active')).toHaveLength(1);
        expect(states.join(' ')).toMatch(/^(retired )*active( next)?$/);
      }),
    );
  });
});
