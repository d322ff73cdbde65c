import { describe, expect, it } from '@jest/globals';
import { createMicrosecondClock, systemClock } from './clock.ts';

/** A clock over hands that the test moves. */
function createHands() {
  const hands = { wallMs: 1_790_000_000_000, steadyMs: 5_000.25 };
  const clock = createMicrosecondClock(
    () => Math.floor(hands.wallMs),
    () => hands.steadyMs,
  );
  function pass(ms: number): void {
    hands.wallMs += ms;
    hands.steadyMs += ms;
  }
  return { hands, clock, pass };
}

describe('createMicrosecondClock', () => {
  it('tells microseconds within one millisecond of the wall clock', () => {
    const { clock, pass } = createHands();
    const start = clock.nowMicros();
    pass(0.125);
    expect(clock.nowMicros() - start).toBe(125);
    pass(0.25);
    expect(clock.nowMicros() - start).toBe(375);
  });

  it('is never further than 2 ms from the wall clock, however the clocks drift apart', () => {
    const { hands, clock } = createHands();
    for (let i = 0; i < 10_000; i++) {
      hands.wallMs += 0.9;
      hands.steadyMs += 1.1;
      expect(Math.abs(clock.nowMicros() - hands.wallMs * 1_000)).toBeLessThanOrEqual(2_000);
    }
  });

  it('follows the wall clock at once when that is stepped, forward or back', () => {
    const { hands, clock, pass } = createHands();
    clock.nowMicros();
    for (const stepMs of [3_600_000, -7_200_000, 5, -5]) {
      hands.wallMs += stepMs;
      pass(0.1);
      expect(Math.abs(clock.nowMicros() - hands.wallMs * 1_000)).toBeLessThanOrEqual(2_000);
    }
  });

  it('does not go back while the wall clock goes on evenly', () => {
    const { clock, pass } = createHands();
    let last = clock.nowMicros();
    for (let i = 0; i < 10_000; i++) {
      pass(0.137);
      const now = clock.nowMicros();
      expect(now).toBeGreaterThan(last);
      last = now;
    }
  });
});

describe('systemClock', () => {
  it('tells safe integers about the time of the machine', () => {
    const before = Date.now();
    const now = systemClock.nowMicros();
    const after = Date.now();
    expect(Number.isSafeInteger(now)).toBe(true);
    expect(now).toBeGreaterThanOrEqual((before - 2) * 1_000);
    expect(now).toBeLessThanOrEqual((after + 2) * 1_000);
  });

  it('has microseconds of its own, not only milliseconds', () => {
    const digits = new Set<number>();
    for (let i = 0; i < 10_000 && digits.size < 2; i++) digits.add(systemClock.nowMicros() % 1_000);
    expect(digits.size).toBe(2);
  });
});
