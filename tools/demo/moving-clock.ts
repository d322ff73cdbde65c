const realNow = Date.now.bind(Date);

/** The wall clock of this process, which can be set to a time that has passed; what only counts is left alone. */
export type MovingClock = {
  /** Sets the clock; it goes on from there. Only ever forward. */
  moveTo(millis: number): void;
  /** What time it really is, in milliseconds since 1970. */
  realMillis(): number;
  /** Gives the process its own time back. */
  restore(): void;
};

/** Takes over `Date.now` of this process. */
export function openMovingClock(startMillis: number): MovingClock {
  let shiftMs = startMillis - realNow();
  Date.now = () => realNow() + shiftMs;
  return {
    moveTo(millis) {
      shiftMs = Math.max(shiftMs, millis - realNow());
    },
    realMillis: realNow,
    restore() {
      Date.now = realNow;
    },
  };
}
