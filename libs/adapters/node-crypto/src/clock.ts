import type { Clock } from '@answer-evidence/ports';

const DRIFT_MAX_MICROS = 1_000;
const MICROS_PER_MS = 1_000;

/**
 * A clock with real microseconds: a steady clock tells the time since an anchor on the wall clock. The wall clock is
 * read each time too, and when the two are more than 1 ms apart (it was stepped, or the machine slept) the anchor is
 * set anew. `wallMs` counts whole milliseconds since 1970, `steadyMs` milliseconds with a fraction since any moment.
 */
export function createMicrosecondClock(wallMs: () => number, steadyMs: () => number): Clock {
  let offset: number | undefined;
  return {
    nowMicros() {
      const steady = Math.floor(steadyMs() * MICROS_PER_MS);
      const wall = wallMs() * MICROS_PER_MS;
      // The wall clock stands anywhere within the millisecond that it names.
      const earliest = wall - DRIFT_MAX_MICROS;
      const latest = wall + MICROS_PER_MS + DRIFT_MAX_MICROS;
      const now = offset === undefined ? undefined : steady + offset;
      if (now !== undefined && now >= earliest && now < latest) return now;
      offset = wall - steady;
      return wall;
    },
  };
}

/** The time of the machine. */
export const systemClock: Clock = createMicrosecondClock(
  () => Date.now(),
  () => performance.now(),
);
