import type { ClockGuard, ClockJudgement, ClockMark } from '@answer-evidence/ports';

const MINUTE_MICROS = 60_000_000;
const DAY_MICROS = 1_440 * MINUTE_MICROS;
/** Steps of a time service, slewing and the rounding of the clocks stay far below this. */
const TOLERANCE_MICROS = 5 * MINUTE_MICROS;
/** For how long nothing need have run before a start, without anyone having to wait. */
const STOPPED_MICROS_MAX = DAY_MICROS;
/** A longer leap needs somebody's word; a shorter one is believed once the clock has gone on evenly for a while. */
const LEAP_MICROS_MAX = 7 * DAY_MICROS;
const SETTLED_MICROS = 60 * MINUTE_MICROS;
const MICROS_PER_MILLISECOND = 1_000;
const RECENT_MICROS = 100_000;

/** A guard, and what it is told of the time from elsewhere. Times in microseconds since 1970. */
export type ClockWatch = ClockGuard & {
  /** Takes in the mark of the installation; the first time this is what the start of the process is judged by. */
  take(mark: ClockMark | undefined): void;
  /** A time that has certainly passed. */
  passed(at: number): void;
};

/**
 * Watches a wall clock. What is believed is an anchor: a time, and what a steady clock said then. `steadyMicros` counts
 * evenly from any moment and goes on while the machine is suspended, so a laptop that wakes up has no leap to explain.
 * A virtual machine whose steady clock stopped as well has one; it is believed after an hour, or at once when a third
 * party tells the same time. Without an anchor any time is as good as another.
 *
 * `processMicros` counts evenly as well, may stop while the machine is suspended, and costs next to nothing to ask:
 * together with the wall clock it tells what is recent.
 */
export function createClockWatch(
  wallMicros: () => number,
  steadyMicros: () => number,
  processMicros: () => number = () => performance.now() * MICROS_PER_MILLISECOND,
): ClockWatch {
  let anchor: { readonly wall: number; readonly steady: number } | undefined;
  /** A leap that is not believed yet: how far the clocks are apart since, and since when. */
  let leap: { readonly offset: number; readonly since: number } | undefined;
  let known: ClockMark | undefined;
  let recent: { readonly judgement: ClockJudgement; readonly wall: number; readonly process: number } | undefined;

  function judgeAt(wall: number, steady: number): ClockJudgement {
    if (anchor !== undefined) {
      const aheadBy = wall - (anchor.wall + (steady - anchor.steady));
      if (-aheadBy > TOLERANCE_MICROS) {
        leap = undefined;
        return { state: 'behind', byMicros: -aheadBy };
      }
      if (aheadBy > TOLERANCE_MICROS && !isSettled(wall - steady, steady, aheadBy))
        return { state: 'ahead', byMicros: aheadBy };
    }
    // Little by little, so that what a time service slews never adds up.
    leap = undefined;
    anchor = { wall, steady };
    return { state: 'plausible' };
  }

  function isSettled(offset: number, steady: number, aheadBy: number): boolean {
    if (leap === undefined || Math.abs(offset - leap.offset) > TOLERANCE_MICROS) leap = { offset, since: steady };
    return aheadBy <= LEAP_MICROS_MAX && steady - leap.since >= SETTLED_MICROS;
  }

  function judge(): ClockJudgement {
    const wall = wallMicros();
    const judgement = judgeAt(wall, steadyMicros());
    recent = { judgement, wall, process: processMicros() };
    return judgement;
  }

  /** A wall clock that stands still does not hide that time passes, nor does a suspension, after which it has moved. */
  function isOld({ wall, process }: { readonly wall: number; readonly process: number }): boolean {
    return Math.abs(wallMicros() - wall) > RECENT_MICROS || processMicros() - process > RECENT_MICROS;
  }

  function passed(at: number): void {
    const steady = steadyMicros();
    if (anchor === undefined || at > anchor.wall + (steady - anchor.steady)) anchor = { wall: at, steady };
  }

  return {
    judge,
    recent() {
      return recent === undefined || isOld(recent) ? judge() : recent.judgement;
    },
    passed,
    take(mark) {
      if (mark === undefined) return;
      if (known === undefined) {
        const stopped = wallMicros() - mark.passedAt;
        if (stopped < 0 || stopped > STOPPED_MICROS_MAX) passed(mark.passedAt);
        else passed(wallMicros());
      } else if (mark.confirmations !== known.confirmations || mark.passedAt > known.passedAt) {
        // An operator's word, or what another process has just found to be the time.
        anchor = { wall: mark.passedAt, steady: steadyMicros() };
      } else passed(mark.passedAt);
      known = mark;
    },
  };
}
