import type { Clock, ClockGuard, ClockJudgement } from '@answer-evidence/ports';

/** One day. */
export const DAY_MICROS = 86_400 * 1_000_000;

/** A clock that a test puts on. */
export type SteppingClock = Clock & { advance(micros: number): void };

/** A clock that moves by a millisecond and a microsecond each time it is read. */
export function createSteppingClock(): SteppingClock {
  let now = 1_795_165_200_123_456;
  return { nowMicros: () => (now += 1_001), advance: (micros) => void (now += micros) };
}

/** A guard that judges as a test tells it to. */
export type ToldClockGuard = ClockGuard & { judgement: ClockJudgement };

/** A guard to which every time is plausible until a test says otherwise. */
export function createToldClockGuard(): ToldClockGuard {
  const told: ToldClockGuard = {
    judgement: { state: 'plausible' },
    judge: () => told.judgement,
    recent: () => told.judgement,
  };
  return told;
}
