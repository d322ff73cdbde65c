/** Signals that ask a process to end. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
/** Marks our own handlers, also those of another copy of this package. */
const OURS = Symbol.for('answer-evidence.exit-hook');

/**
 * Has `finish` run before the process ends: when nothing keeps it alive any more, and when a signal asks it to end.
 * After the signal the process ends by it as it would have. If the application has a handler of its own, that handler
 * decides. Returns what takes the hooks away.
 */
export function installExitHooks(finish: () => Promise<void>): () => void {
  let finishing: Promise<void> | undefined;
  const finishOnce = () => {
    finishing ??= finish().finally(() => {
      finishing = undefined;
    });
    return finishing;
  };
  const onBeforeExit = () => void finishOnce();
  const onSignal = Object.assign(
    (signal: NodeJS.Signals) => {
      const isOthers = process.listeners(signal).some((listener) => !(OURS in listener));
      void finishOnce().finally(() => {
        process.off(signal, onSignal);
        // The last of ours to finish ends the process.
        if (!isOthers && process.listenerCount(signal) === 0) process.kill(process.pid, signal);
      });
    },
    { [OURS]: true },
  );
  process.on('beforeExit', onBeforeExit);
  // In front of a handler that is called once, and would not be seen any more behind it.
  for (const signal of SIGNALS) process.prependListener(signal, onSignal);
  return () => {
    process.off('beforeExit', onBeforeExit);
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
}
