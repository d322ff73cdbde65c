/** By how much the clocks of two processes may differ, in microseconds. */
const SKEW_MICROS_MAX = 60_000_000;

/** A stored time (µs); 0 for one that lies more than a minute ahead: a wrong clock set it, and nothing waits for it. */
export function notAhead(at: number, nowMicros: number): number {
  return at > nowMicros + SKEW_MICROS_MAX ? 0 : at;
}
