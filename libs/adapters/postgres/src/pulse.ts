import { randomBytes } from 'node:crypto';
import type { ServicePool } from './pool.ts';
import type { ServerWatch } from './server-watch.ts';

const TICK_MS = 250;
/** So many ticks after an answer the next question is asked. */
const REST_TICKS = 4;
/**
 * So many ticks without an answer, and the database is silent. Ticks and not time: while this process is busy for long
 * there are none, and what has arrived meanwhile is read between two of them.
 */
const SILENT_TICKS = 10;
/** More than the free space within pages that are there. */
const TRIED_BYTES = 262_144;

/** Whether the database answers: it may accept connections and questions, and be stopped. */
type Pulse = {
  /** Another pool that is given up with the others. */
  watch(pool: ServicePool): void;
  /** Resolves when the database has answered and, after a refusal for want of room, has written something. */
  ask(): Promise<void>;
  /** It had no room for something. */
  noteDiskFull(): void;
  /** Asks no more; the pools are their owner's. */
  stop(): void;
};

/**
 * Asks the database about once a second over `pool`, which is for this alone. When it is silent for 2.5 s, every
 * connection of the watched pools is broken, and nobody waits for another one, until it answers: so a caller hears
 * within 5 s that the database is unavailable. A commit that was on its way may have been kept; the repeated request
 * finds it. With `server`, the question is also which server answers. Since it refused something for want of room it is
 * also asked to write, until it does: nobody else might try.
 */
export function watchPulse(pool: ServicePool, server?: Pick<ServerWatch, 'ask'>): Pulse {
  const watched: ServicePool[] = [];
  let ticks = 0;
  let isAsking = false;
  let isSilent = false;
  let isFull = false;

  function setSilent(silent: boolean): void {
    isSilent = silent;
    for (const one of watched) one.isSilent = silent;
  }

  async function ask(): Promise<void> {
    await (server === undefined ? pool.query('select 1') : server.ask(pool));
    if (isSilent) setSilent(false);
    if (isFull) await tryToWrite();
  }

  /** A large object, which every role may make, and which is gone when it is kept: it needs room as all writes do. */
  async function tryToWrite(): Promise<void> {
    await pool.query({ text: 'select lo_unlink(lo_from_bytea(0, $1))', values: [randomBytes(TRIED_BYTES)] });
    isFull = false;
  }

  function askAgain(): void {
    isAsking = true;
    ticks = 0;
    // One that is refused says nothing of silence: the same refusal meets everyone else, at once.
    const done = (): void => {
      isAsking = false;
      ticks = 0;
    };
    ask().then(done, done);
  }

  const timer = setInterval(() => {
    ticks += 1;
    if (!isAsking && ticks >= (isSilent ? 1 : REST_TICKS)) askAgain();
    else if (isAsking && ticks === SILENT_TICKS) {
      if (!isSilent) {
        setSilent(true);
        for (const one of watched) one.breakConnections();
      }
      pool.breakConnections();
    }
  }, TICK_MS);
  timer.unref();
  return {
    watch: (another) => void watched.push(another),
    ask,
    noteDiskFull: () => void (isFull = true),
    stop: () => clearInterval(timer),
  };
}
