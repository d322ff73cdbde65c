/** Signals that ask a process to end. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
/** Where all copies of this package in a process keep what they have to finish. */
const SHARED = Symbol.for('answer-evidence.exit-hooks');

/** What is to be done before a process ends. */
export type Ending = {
  /** While the process can still wait: nothing keeps it alive any more, or a signal asks it to end. */
  finish(): Promise<void>;
  /** When it cannot: `process.exit` was called, or an error ends it. */
  finishNow(): void;
};

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
    for (const one of endings) one.finishNow();
  };
  const onSignal = (signal: NodeJS.Signals) => {
    const isOthers = process.listeners(signal).some((listener) => listener !== onSignal);
    void finishOnce().finally(() => {
      process.off(signal, onSignal);
      if (!isOthers && process.listenerCount(signal) === 0) process.kill(process.pid, signal);
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
