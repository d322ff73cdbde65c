import { randomBytes } from 'node:crypto';
import type { AskForWork } from '@answer-evidence/ports';
import type { ServicePool } from './pool.ts';
import type { ServerWatch } from './server-watch.ts';
import { WorkQuestions } from './work-questions.ts';

const TICK_MS = 250;
/** So many ticks after an answer the next question is asked. */
const REST_TICKS = 4;
/** So many ticks without an answer to a question with work, and a question that is light is asked as well. */
const SLOW_TICKS = 2;
/**
 * So many ticks without an answer to a light question, and the database is silent. Ticks and not time: while this
 * process is busy for long there are none, and what has arrived meanwhile is read between two of them.
 */
const SILENT_TICKS = 10;
/**
 * So many rounds after the last one, a light question is asked beside the one with work, well before the pool lets its
 * connection go. Where it had to be opened first, a machine under load took longer for that than silence may last.
 */
const KEPT_OPEN_ROUNDS = 16;
/** More than the free space within pages that are there. */
const TRIED_BYTES = 262_144;

/** Whether the database answers: it may accept connections and questions, and be stopped. */
type Pulse = {
  /** Another pool that is given up with the others. */
  watch(pool: ServicePool): void;
  /** From now on what is asked for work goes over this pool, of a role that sees it in every workspace. */
  askForWorkOver(pool: ServicePool): void;
  /** Resolves when the database has answered and, after a refusal for want of room, has written something. */
  ask(): Promise<void>;
  /** Is answered with the next question of the pulse. */
  readonly askForWork: AskForWork;
  /** It had no room for something. */
  noteDiskFull(): void;
  /** Asks no more; the pools are their owner's. */
  stop(): void;
};

/**
 * Asks the database about once a second which server answers and, in the same statement, whether there is work. When an
 * answer takes half a second, it is asked over `pool` as well, which is for this alone, and not for work: a question
 * about many workspaces is not silence, nor is a connection that has to be opened among many. When it is silent for
 * 2.5 s then, every connection of the watched pools is broken, and nobody waits for another one, until it answers: so a
 * caller hears within 5 s that the database is unavailable. A commit that was on its way may have been kept; the
 * repeated request finds it. Since the database refused something for want of room it is also asked to write, until it
 * does: nobody else might try.
 */
export function watchPulse(pool: ServicePool, server: Pick<ServerWatch, 'ask'>): Pulse {
  const watched: ServicePool[] = [];
  const work = new WorkQuestions();
  /** Since the last answer, or since the question with work was asked. */
  let ticks = 0;
  /** The same of the light question, while one is on its way. */
  let lookTicks = 0;
  let isLooking = false;
  let isAskingForWork = false;
  let rounds = 0;
  let workPool: ServicePool | undefined;
  let isSilent = false;
  let isFull = false;

  function setSilent(silent: boolean): void {
    isSilent = silent;
    for (const one of watched) one.isSilent = silent;
  }

  async function ask(): Promise<void> {
    await server.ask(pool);
    await answered();
  }

  async function askWithWork(over: ServicePool): Promise<void> {
    await server.ask(over, work);
    await answered();
  }

  async function answered(): Promise<void> {
    lookTicks = 0;
    if (isSilent) setSilent(false);
    if (isFull) await tryToWrite();
  }

  /** A large object, which every role may make, and which is gone when it is kept: it needs room as all writes do. */
  async function tryToWrite(): Promise<void> {
    await pool.query({ text: 'select lo_unlink(lo_from_bytea(0, $1))', values: [randomBytes(TRIED_BYTES)] });
    isFull = false;
  }

  function askForWork(over: ServicePool): void {
    ticks = 0;
    isAskingForWork = true;
    // One that is refused says nothing of silence: the same refusal meets everyone else, at once.
    const done = (): void => {
      isAskingForWork = false;
      ticks = 0;
    };
    askWithWork(over).then(done, done);
  }

  function look(): void {
    if (isLooking) return;
    isLooking = true;
    lookTicks = 0;
    rounds = 0;
    const done = (): void => {
      isLooking = false;
      ticks = 0;
    };
    ask().then(done, done);
  }

  function askAgain(): void {
    // The watched pools refuse everything while the database is silent.
    if (isSilent || workPool === undefined) return look();
    rounds += 1;
    if (rounds === KEPT_OPEN_ROUNDS) look();
    askForWork(workPool);
  }

  function fallSilent(): void {
    if (!isSilent) {
      setSilent(true);
      for (const one of watched) one.breakConnections();
    }
    pool.breakConnections();
  }

  const timer = setInterval(() => {
    ticks += 1;
    if (isLooking && ++lookTicks === SILENT_TICKS) return fallSilent();
    if (isAskingForWork) {
      if (ticks >= SLOW_TICKS) look();
    } else if (ticks >= (isSilent ? 1 : REST_TICKS)) askAgain();
  }, TICK_MS);
  timer.unref();
  return {
    watch: (another) => void watched.push(another),
    askForWorkOver: (another) => void (workPool = another),
    ask,
    askForWork: work.ask,
    noteDiskFull: () => void (isFull = true),
    stop() {
      clearInterval(timer);
      work.end();
    },
  };
}
