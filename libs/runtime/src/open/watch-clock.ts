import { uptime } from 'node:os';
import { Gauge, type Registry } from 'prom-client';
import { type ClockWatch, createClockWatch, systemClock } from '@answer-evidence/node-crypto';
import type { ClockJudgement, ClockMarkStore, ClockState, Ticker } from '@answer-evidence/ports';
import type { Report } from '../ground/report.ts';

const INTERVAL_MS = 10_000;
const MICROS_PER_SECOND = 1_000_000;
const STATES: readonly ClockState[] = ['plausible', 'behind', 'ahead'];

type ClockWatchDeps = {
  readonly marks: ClockMarkStore;
  /** Of all workspaces, also of damaged ones: a check that names the damage begins with the clock, too. */
  readonly workspaceIds: () => Promise<readonly string[]>;
};

/** Opens the guard of this process's clock, which knows from the start what the installation has left of the time. */
export async function openClockWatch({ marks }: Pick<ClockWatchDeps, 'marks'>): Promise<ClockWatch> {
  // On Linux the uptime of the machine counts on while it is suspended, which the clock of the process does not.
  const watch = createClockWatch(
    () => systemClock.nowMicros(),
    () => Math.floor(uptime() * MICROS_PER_SECOND),
  );
  const mark = await marks.find();
  if (mark !== undefined) watch.take(mark);
  else {
    // Started for the first time, or the first time since there are marks: the logs say what time it was.
    const passedAt = await marks.lastEntryAt();
    if (passedAt !== undefined) watch.take({ passedAt, confirmations: 0 });
  }
  return watch;
}

/** Keeps the mark of the installation moving while the clock is plausible, and says once what becomes of the clock. */
export function clockTicker({ marks, workspaceIds }: ClockWatchDeps, watch: ClockWatch, report: Report): Ticker {
  let said: ClockState = 'plausible';
  let looks = 0;
  function say(judgement: ClockJudgement): void {
    if (judgement.state !== said) report(describeClock(judgement));
    said = judgement.state;
  }
  return {
    name: 'watch-clock',
    intervalMs: INTERVAL_MS,
    async run() {
      say(watch.judge());
      watch.take(await marks.find());
      if (watch.judge().state === 'ahead')
        for (const id of await workspaceIds()) {
          const at = await marks.lastAttestedAt(id);
          if (at !== undefined) watch.passed(at);
        }
      const judgement = watch.judge();
      say(judgement);
      // Not at the first look: processes that disagree with this one must have had the time to say so.
      if (judgement.state === 'plausible' && looks++ > 0) await marks.advance(systemClock.nowMicros());
    },
  };
}

/** What an operator is told of a clock, in a sentence that says what to do. */
export function describeClock(judgement: ClockJudgement): string {
  if (judgement.state === 'plausible') return 'the clock is plausible again; recording and erasing by time go on';
  const minutes = Math.ceil(judgement.byMicros / 60_000_000);
  const word = 'if this is the right time, state so: npm run operator -- sweep-confirm';
  return judgement.state === 'behind'
    ? `the clock is ${minutes} minutes behind the time that has passed; nothing new is recorded and nothing is erased by time until it is set right; ${word}`
    : `the clock is ${minutes} minutes ahead of the time that is known; nothing is erased by time until it is set right or borne out; ${word}`;
}

/** Registers which of its states the clock is in. */
export function registerClockMetrics(registry: Registry, watch: ClockWatch): void {
  new Gauge({
    name: 'clock_state',
    help: 'Whether the clock of this process is plausible, behind or ahead: 1 for the state that it is in.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { state } = watch.judge();
      for (const one of STATES) this.set({ state: one }, one === state ? 1 : 0);
    },
  });
}
