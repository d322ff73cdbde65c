import type { JobTopic } from '@answer-evidence/contracts';
import type { AskForWork, Clock, Look, OutboxRelay, QueueBackend, Schedule, Ticker } from '@answer-evidence/ports';
import { runTickers } from '../ground/run-tickers.ts';
import { pause, type WakeUp } from '../ground/wake-up.ts';

/** How the relay goes about it. */
export type RelayTimes = {
  /**
   * How long new jobs of another process wait at most; those of this one wake the relay. Looking, not `LISTEN`:
   * `NOTIFY` takes a lock that serialises the commits of all who notify.
   */
  readonly pollMs: number;
  /** How long the relay waits at most to be woken. */
  readonly idleMs: number;
  /** When a job at the queue counts as lost: longer than the queue takes to notice a killed worker. */
  readonly lostAfterMs: number;
  readonly sweepMs: number;
  /** How often schedules are declared again, in case the queue has lost them. */
  readonly declareMs: number;
};

/** For everything but tests. */
export const RELAY_TIMES: RelayTimes = {
  pollMs: 1_000,
  idleMs: 600_000,
  lostAfterMs: 60_000,
  sweepMs: 15_000,
  declareMs: 30_000,
};

/** What the relay needs. */
export type RelayDeps = {
  readonly relay: OutboxRelay;
  readonly queues: QueueBackend;
  readonly wake: WakeUp;
  readonly clock: Clock;
  readonly topics: readonly JobTopic[];
  readonly schedules: readonly Schedule[];
  readonly looks: readonly Look[];
  readonly askForWork: AskForWork;
  readonly times: RelayTimes;
  /** What does not work at the moment, or, with no error, that it works again. */
  readonly onState: (what: 'relay' | 'sweep' | 'schedules', error: unknown) => void;
};

const BATCH = 200;
const RECALL_MAX = 1_000;
/** By how much the clocks of two processes may differ. */
const SKEW_MICROS_MAX = 60_000_000;
/** How many rounds of declaring there are from one time that schedules of earlier releases are ended to the next. */
const ROUNDS_UNTIL_ENDED = 20;
/** How long a replayed dead letter is remembered, so that its replay can be asked for again and starts nothing. */
const REMEMBER_MICROS = 30 * 86_400 * 1_000_000;

/** Carries jobs from outbox to queue, recalls lost ones, and keeps schedules declared, until the signal. */
export async function runRelay(deps: RelayDeps, signal: AbortSignal): Promise<void> {
  const { relay, queues, wake, clock, topics, schedules, looks, times, onState } = deps;

  async function dispatch(): Promise<void> {
    while (!signal.aborted) {
      let isMore = false;
      await attempt('relay', async () => {
        isMore = (await relay.dispatch(topics, BATCH, (deliveries) => queues.enqueue(deliveries))) === BATCH;
      });
      if (!isMore) await wake.wait(times.idleMs, signal);
    }
  }

  /** What another process has written, and may have died since. */
  const lookForJobs: Ticker = {
    name: 'relay',
    intervalMs: times.pollMs,
    work: () => [{ kind: 'jobs-due', micros: clock.nowMicros() }],
    run: () => Promise.resolve(wake.call()),
  };

  const sweep: Ticker = {
    name: 'sweep',
    intervalMs: times.sweepMs,
    work() {
      const now = clock.nowMicros();
      return [
        { kind: 'jobs-lost', micros: now - times.lostAfterMs * 1_000 },
        { kind: 'jobs-put-off', micros: now + SKEW_MICROS_MAX },
        { kind: 'jobs-replayed', micros: now - REMEMBER_MICROS },
      ];
    },
    async run() {
      await attempt('sweep', async () => {
        const now = clock.nowMicros();
        const recalled = await relay.recall(now - times.lostAfterMs * 1_000, RECALL_MAX);
        if (recalled + (await relay.hasten(RECALL_MAX)) > 0) wake.call();
        await relay.forget(now - REMEMBER_MICROS);
      });
    },
  };

  function lookFor({ name, topic, everyMs, work }: Look): Ticker {
    let isFirst = true;
    return {
      name,
      intervalMs: everyMs,
      // A start waits for no answer: what it finds to do, such as to publish a new log, is done at once.
      work: () => (isFirst ? undefined : work(clock.nowMicros())),
      async run() {
        isFirst = false;
        // The one id: while it waits or runs, by whichever process, there is no other.
        await attempt('schedules', () =>
          queues.enqueue([{ id: name, job: { id: name, topic, workspace_id: null, subject: null } }]),
        );
      },
    };
  }

  async function declare(): Promise<void> {
    for (let round = 0; !signal.aborted && schedules.length + looks.length > 0; round++) {
      const isDeclared = await attempt('schedules', async () => {
        for (const schedule of schedules) await queues.schedule(schedule);
        // A process of a release that had schedules for them may have declared one since.
        if (round % ROUNDS_UNTIL_ENDED === 0) for (const look of looks) await queues.unschedule(look);
      });
      await pause(isDeclared ? times.declareMs : times.pollMs, signal);
    }
  }

  /** Does it, and reports when it begins to fail and when it works again. A pause follows a failure in any case. */
  async function attempt(what: 'relay' | 'sweep' | 'schedules', action: () => Promise<void>): Promise<boolean> {
    try {
      await action();
      if (failing.delete(what)) onState(what, undefined);
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      if (!failing.has(what)) onState(what, error);
      failing.add(what);
      if (what === 'relay') await pause(times.pollMs, signal);
      return false;
    }
  }
  const failing = new Set<string>();

  // Where the database cannot be asked, the relay tries, and says that it fails and when it works again.
  const stopTickers = runTickers([lookForJobs, sweep, ...looks.map(lookFor)], wake.call, deps.askForWork);
  await Promise.all([dispatch(), declare()]);
  await stopTickers();
}
