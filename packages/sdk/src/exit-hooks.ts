import { END, sendAtExit, type Unsent } from './queue/send-at-exit.ts';

/** Signals that ask a process to end. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
/** Where all copies of this package in a process keep what they have to finish. */
const SHARED = Symbol.for('answer-evidence.exit-hooks');

/** What is to be done before a process ends. */
export type Ending = {
  /** While the process can still wait: nothing keeps it alive any more, or a signal asks it to end. */
  finish(): Promise<void>;
  /** When it cannot, since `process.exit` was called or an error ends it: what has to be sent for it. */
  leave(): Unsent | undefined;
  /** When a signal asks for the end and the time is over, or a second one comes: what was not sent is lost. */
  giveUp(): void;
};

/** A signal so long after the first asks again. One that npm passes on besides the terminal comes at once. */
const AGAIN_MS = 1_000;

type Shared = { readonly endings: Set<Ending>; remove(): void };

/**
 * Has this done before the process ends. After a signal the process ends by it as it would have. If the application has
 * a handler of its own, that handler decides. All hooks of a process share one listener per event. Returns what takes
 * this one away.
 */
export function installExitHooks(ending: Ending): () => void {
  const holder = globalThis as { [SHARED]?: Shared };
  const shared = (holder[SHARED] ??= listen());
  shared.endings.add(ending);
  return () => {
    shared.endings.delete(ending);
    if (shared.endings.size > 0 || holder[SHARED] !== shared) return;
    shared.remove();
    delete holder[SHARED];
  };
}

function listen(): Shared {
  const endings = new Set<Ending>();
  let finishing: Promise<unknown> | undefined;
  const finishOnce = () => {
    finishing ??= Promise.allSettled([...endings].map((one) => one.finish())).finally(() => {
      finishing = undefined;
    });
    return finishing;
  };
  const onBeforeExit = () => void finishOnce();
  const onExit = () => {
    sendAtExit([...endings].flatMap((one) => one.leave() ?? []));
  };
  let askedAt: number | undefined;
  const onSignal = (signal: NodeJS.Signals) => {
    const isOthers = process.listeners(signal).some((listener) => listener !== onSignal);
    const end = () => {
      process.off(signal, onSignal);
      if (isOthers || process.listenerCount(signal) > 0) return;
      for (const one of endings) one.giveUp();
      // Warnings are shown in the next turn.
      setImmediate(() => process.kill(process.pid, signal));
    };
    askedAt ??= performance.now();
    if (performance.now() - askedAt > AGAIN_MS) {
      end();
      return;
    }
    const late = setTimeout(end, END.mostMs);
    void finishOnce().finally(() => {
      clearTimeout(late);
      end();
    });
  };
  process.on('beforeExit', onBeforeExit);
  process.on('exit', onExit);
  // In front of a handler that is called once, and would not be seen any more behind it.
  for (const signal of SIGNALS) process.prependListener(signal, onSignal);
  return {
    endings,
    remove() {
      process.off('beforeExit', onBeforeExit);
      process.off('exit', onExit);
      for (const signal of SIGNALS) process.off(signal, onSignal);
    },
  };
}
