import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Reference } from '@answer-evidence/reconciliation';
import { planWindows } from './plan-windows.ts';

const START = 1_795_132_800_000_000;
const HOUR = 3_600_000_000;
const WEEK = 168 * HOUR;

function at(occurredAt: number, id = 'm'): Reference {
  return { referenceId: id, occurredAt, questionHash: null, answerHash: null };
}

const times = fc.array(
  fc
    .tuple(fc.integer({ min: -24, max: 26 * 24 }), fc.constantFrom(0, 1, -1))
    .map(([h, micro]) => START + h * HOUR + micro),
  { maxLength: 40 },
);

describe('a long window', () => {
  it('is cut into windows and gaps that cover it once, with each reference in the window of its time', () => {
    fc.assert(
      fc.property(times, fc.integer({ min: 1, max: 25 * 24 }), (occurred, hours) => {
        const end = START + hours * HOUR;
        const { windows, gaps, outside } = planWindows(
          occurred.map((time) => at(time)),
          START,
          end,
        );
        const pieces = [...windows, ...gaps].sort((a, b) => a.from - b.from);
        pieces.forEach((piece, n) => {
          expect(piece.from).toBe(n === 0 ? START : pieces[n - 1]?.to);
          expect(piece.to - piece.from).toBeGreaterThan(0);
          expect(piece.to - piece.from).toBeLessThanOrEqual(WEEK);
        });
        expect(pieces.at(-1)?.to).toBe(end);
        for (const { from, to, references } of windows) {
          expect(references.length).toBeGreaterThan(0);
          for (const { occurredAt } of references) expect(from <= occurredAt && occurredAt < to).toBe(true);
        }
        const held = windows.reduce((sum, { references }) => sum + references.length, 0);
        expect(held + outside).toBe(occurred.length);
        expect(outside).toBe(occurred.filter((time) => time < START || end <= time).length);
      }),
      { numRuns: 500 },
    );
  });

  it('is cut between two times where it holds more references than a run may', () => {
    const references = Array.from({ length: 25_000 }, (_, n) => at(START + Math.floor(n / 3)));
    const { windows, gaps } = planWindows(references, START, START + HOUR);
    expect(windows.map(({ references: held }) => held.length)).toEqual([9_999, 9_999, 5_002]);
    expect(gaps).toEqual([]);
    const edges = windows.map(({ from, to }) => [from - START, to - START]);
    expect(edges).toEqual([
      [0, 3_333],
      [3_333, 6_666],
      [6_666, HOUR],
    ]);
  });

  it('is cut where a body would be larger than is taken', () => {
    const long = Array.from({ length: 9_900 }, (_, n) => at(START + n, '€'.repeat(256) + n));
    const { windows } = planWindows(long, START, START + HOUR);
    expect(windows.length).toBe(2);
    expect(windows.reduce((sum, { references }) => sum + references.length, 0)).toBe(9_900);
  });

  it('cannot be cut inside of one time', () => {
    const same = Array.from({ length: 10_001 }, () => at(START + 5));
    expect(() => planWindows(same, START, START + HOUR)).toThrow('the same time');
    expect(planWindows(same.slice(1), START, START + HOUR).windows.length).toBe(1);
  });
});
