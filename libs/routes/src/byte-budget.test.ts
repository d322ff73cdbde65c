import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type ByteLease, createByteBudget } from './byte-budget.ts';

describe('a budget of bytes', () => {
  it('never gives more than it has to more than one, and gets everything back', () => {
    const step = fc.record({ what: fc.constantFrom('take', 'grow', 'release'), bytes: fc.nat(60), whose: fc.nat(5) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const budget = createByteBudget(100);
        const leases: ByteLease[] = [];
        for (const { what, bytes, whose } of steps) {
          const lease = leases[whose % Math.max(leases.length, 1)];
          const before = budget.takenBytes;
          if (what === 'take') {
            const taken = budget.take(bytes);
            if (taken !== undefined) leases.push(taken);
            else expect(before + bytes).toBeGreaterThan(100);
          } else if (what === 'grow' && lease !== undefined) {
            if (!lease.grow(bytes)) expect(budget.takenBytes).toBe(before);
          } else if (lease !== undefined) {
            lease.release();
            lease.release();
            leases.splice(leases.indexOf(lease), 1);
          }
          if (leases.length > 1 && budget.takenBytes > before) expect(budget.takenBytes).toBeLessThanOrEqual(100);
        }
        for (const lease of leases) lease.release();
        expect(budget.takenBytes).toBe(0);
      }),
    );
  });

  it('gives anyone who comes alone what they ask for, and the next one nothing', () => {
    const budget = createByteBudget(10);
    const large = budget.take(1_000);
    expect(large?.grow(1_000)).toBe(true);
    expect(budget.take(1)).toBeUndefined();
    large?.release();
    expect(budget.take(1)).toBeDefined();
  });
});
