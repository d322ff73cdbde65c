import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { rangesOf } from './read-leaf-range.ts';

const MIB = 1024 * 1024;
const leaves = fc
  .array(fc.record({ gap: fc.integer({ min: 1, max: 3 }), size: fc.integer({ min: 0, max: 6 * MIB }) }), {
    maxLength: 600,
  })
  .map((drawn) => {
    let index = -1;
    return drawn.map(({ gap, size }) => ({ leaf_index: (index += gap), size }));
  });

describe('ranges of leaves', () => {
  it('have every leaf once, and hold at most 256 of them or 4 MiB unless one leaf is larger', () => {
    fc.assert(
      fc.property(leaves, (all) => {
        const found = [];
        for (const { from, to } of rangesOf(all)) {
          const within = all.filter(({ leaf_index: index }) => index >= from && index < to);
          expect(within.length).toBeGreaterThan(0);
          expect(within.length).toBeLessThanOrEqual(256);
          if (within.length > 1) expect(within.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(4 * MIB);
          found.push(...within);
        }
        expect(found).toEqual(all);
      }),
      { numRuns: 100 },
    );
  });

  it('are as long as that allows', () => {
    const small = Array.from({ length: 600 }, (_, index) => ({ leaf_index: index, size: 1 }));
    expect([...rangesOf(small)]).toEqual([
      { from: 0, to: 256 },
      { from: 256, to: 512 },
      { from: 512, to: 600 },
    ]);
  });
});
