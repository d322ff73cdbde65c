import { describe, expect, it } from '@jest/globals';
import { createClockWatch } from './clock-guard.ts';

const NOW = 1_790_000_000_000_000;
const SECOND = 1_000_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A watch over hands that the test moves, of a process that started plausibly unless told otherwise. */
function createHands(markAt: number | undefined = NOW - MINUTE) {
  const hands = { wall: NOW, steady: 5 * HOUR, process: 0 };
  let steadyReads = 0;
  const watch = createClockWatch(
    () => hands.wall,
    () => {
      steadyReads += 1;
      return hands.steady;
    },
    () => hands.process,
  );
  watch.take(markAt === undefined ? undefined : { passedAt: markAt, confirmations: 0 });
  return {
    watch,
    steadyReads: () => steadyReads,
    state: () => watch.judge().state,
    /** The machine is suspended, so that its processes do not count. */
    suspend(micros: number) {
      hands.wall += micros;
      hands.steady += micros;
    },
    /** Time passes, and the wall clock stands still. */
    stand(micros: number) {
      hands.steady += micros;
      hands.process += micros;
    },
    step: (micros: number) => void (hands.wall += micros),
    pass(micros: number) {
      hands.wall += micros;
      hands.steady += micros;
      hands.process += micros;
    },
  };
}

describe('createClockWatch', () => {
  it.each([-400 * DAY, -6 * MINUTE])('is behind after a step of %d µs back, and recovers with the clock', (micros) => {
    const { watch, state, step, pass } = createHands();
    step(micros);
    expect(watch.judge()).toEqual({ state: 'behind', byMicros: -micros });
    pass(3 * HOUR);
    expect(state()).toBe('behind');
    step(-micros);
    expect(state()).toBe('plausible');
  });

  it.each([400 * DAY, 2 * DAY, 6 * MINUTE])('is ahead after a step of %d µs, and recovers with the clock', (micros) => {
    const { watch, state, step, pass } = createHands();
    step(micros);
    expect(watch.judge()).toEqual({ state: 'ahead', byMicros: micros });
    pass(10 * MINUTE);
    expect(state()).toBe('ahead');
    step(-micros);
    expect(state()).toBe('plausible');
  });

  it('is not disturbed by steps and slews of a time service, however many there are', () => {
    const { state, step, pass } = createHands();
    for (let i = 0; i < 5_000; i++) {
      step(i % 2 === 0 ? 3 * SECOND : -2 * SECOND);
      pass(10 * SECOND);
      expect(state()).toBe('plausible');
    }
  });

  it('is not disturbed by a suspended machine whose steady clock goes on', () => {
    const { state, pass } = createHands();
    pass(20 * DAY);
    expect(state()).toBe('plausible');
  });

  it('believes a machine whose steady clock was suspended too, after an hour of going on evenly', () => {
    const { state, step, pass } = createHands();
    step(9 * HOUR);
    expect(state()).toBe('ahead');
    for (let minutes = 0; minutes < 59; minutes++) pass(MINUTE);
    expect(state()).toBe('ahead');
    pass(MINUTE);
    expect(state()).toBe('plausible');
  });

  it('begins the hour anew with each further step', () => {
    const { state, step, pass } = createHands();
    step(9 * HOUR);
    expect(state()).toBe('ahead');
    pass(50 * MINUTE);
    step(HOUR);
    expect(state()).toBe('ahead');
    pass(50 * MINUTE);
    expect(state()).toBe('ahead');
  });

  it('never believes a leap of more than a week by itself', () => {
    const { state, step, pass } = createHands();
    step(8 * DAY);
    expect(state()).toBe('ahead');
    for (let hours = 0; hours < 2_000; hours++) {
      pass(HOUR);
      expect(state()).toBe('ahead');
    }
  });

  it('believes a leap at once when the time is known from elsewhere to have passed', () => {
    const { watch, state, step } = createHands();
    step(8 * DAY);
    expect(state()).toBe('ahead');
    watch.passed(NOW + 8 * DAY - MINUTE);
    expect(state()).toBe('plausible');
    watch.passed(NOW);
    expect(state()).toBe('plausible');
  });

  it.each<[string, number | undefined, string]>([
    ['without any mark', undefined, 'plausible'],
    ['a moment after the mark', NOW - MINUTE, 'plausible'],
    ['within a day of the mark', NOW - 23 * HOUR, 'plausible'],
    ['two days after the mark', NOW - 2 * DAY, 'ahead'],
    ['400 days after the mark', NOW - 400 * DAY, 'ahead'],
    ['a minute before the mark', NOW + MINUTE, 'plausible'],
    ['400 days before the mark', NOW + 400 * DAY, 'behind'],
  ])('judges a start %s', (_, markAt, expected) => {
    expect(createHands(markAt).state()).toBe(expected);
  });

  it('goes by the word of an operator, also when that puts the mark back', () => {
    const { watch, state } = createHands(NOW + 400 * DAY);
    expect(state()).toBe('behind');
    watch.take({ passedAt: NOW, confirmations: 1 });
    expect(state()).toBe('plausible');
    const ahead = createHands(NOW - 400 * DAY);
    expect(ahead.state()).toBe('ahead');
    ahead.watch.take({ passedAt: NOW, confirmations: 1 });
    expect(ahead.state()).toBe('plausible');
  });

  it('does not believe itself against a process that has just found another time', () => {
    const { watch, state } = createHands(undefined);
    watch.take({ passedAt: NOW - HOUR, confirmations: 0 });
    expect(state()).toBe('plausible');
    watch.take({ passedAt: NOW - HOUR + 10 * SECOND, confirmations: 0 });
    expect(state()).toBe('ahead');
  });

  it('has judged at most 100 ms ago when it is asked for something recent', () => {
    const { watch, step, pass, steadyReads } = createHands();
    expect(watch.recent().state).toBe('plausible');
    const reads = steadyReads();
    for (let n = 0; n < 10; n++) pass(10_000);
    expect(watch.recent().state).toBe('plausible');
    // Asking it costs a create more than its hashes.
    expect(steadyReads()).toBe(reads);
    pass(1);
    expect(watch.recent().state).toBe('plausible');
    expect(steadyReads()).toBeGreaterThan(reads);
    step(-DAY);
    expect(watch.recent().state).toBe('behind');
  });

  it('judges anew after a suspension, and while the wall clock stands still', () => {
    const { watch, steadyReads, suspend, stand } = createHands();
    watch.recent();
    const reads = steadyReads();
    suspend(HOUR);
    expect(watch.recent().state).toBe('plausible');
    expect(steadyReads()).toBeGreaterThan(reads);
    stand(6 * MINUTE);
    expect(watch.recent().state).toBe('behind');
  });
});
