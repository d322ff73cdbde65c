import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type ByteLease, createByteBudget } from './byte-budget.ts';

describe('a budget of bytes', () => {
  it('never gives more than it has to several, nor more than a quarter to one of them, and gets everything back', () => {
    const step = fc.record({
      what: fc.constantFrom('open', 'grow', 'release'),
      owner: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      bytes: fc.nat(30),
      which: fc.nat(8),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const budget = createByteBudget(100);
        const held: { owner: string; lease: ByteLease; bytes: number }[] = [];
        const bytesOf = (of: typeof held) => of.reduce((sum, { bytes }) => sum + bytes, 0);
        for (const { what, owner, bytes, which } of steps) {
          const one = held[which % Math.max(held.length, 1)];
          if (what === 'open') held.push({ owner, lease: budget.open(owner), bytes: 0 });
          else if (what === 'release' && one !== undefined) {
            one.lease.release();
            one.lease.release();
            held.splice(held.indexOf(one), 1);
          } else if (what === 'grow' && one !== undefined) {
            const others = held.filter((other) => other !== one && other.bytes > 0);
            const own = others.filter((other) => other.owner === one.owner);
            const isGiven = one.lease.grow(bytes);
            const fits =
              (others.length === 0 || bytesOf(held) + bytes <= 100) &&
              (own.length === 0 || bytesOf(own) + one.bytes + bytes <= 25);
            expect(isGiven).toBe(fits);
            if (isGiven) one.bytes += bytes;
          }
          expect(budget.takenBytes).toBe(bytesOf(held));
        }
        for (const { lease } of held) lease.release();
        expect(budget.takenBytes).toBe(0);
      }),
    );
  });

  it('gives anyone who comes alone what they ask for, and the next one nothing', () => {
    const budget = createByteBudget(10);
    const large = budget.open('a');
    expect(large.grow(500) && large.grow(500)).toBe(true);
    const next = budget.open('b');
    expect(next.grow(1)).toBe(false);
    large.release();
    expect(next.grow(1)).toBe(true);
  });

  it('leaves three quarters to the others, however much one owner asks for', () => {
    const budget = createByteBudget(400);
    const greedy = Array.from({ length: 50 }, () => budget.open('greedy')).filter((lease) => lease.grow(20));
    expect(greedy).toHaveLength(5);
    for (const owner of ['a', 'b', 'c']) expect(budget.open(owner).grow(100)).toBe(true);
  });
});
