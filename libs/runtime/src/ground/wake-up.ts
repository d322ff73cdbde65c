/** Lets anyone who wrote jobs wake the relay of the same process. A call that comes while nobody waits is not lost. */
export type WakeUp = {
  readonly call: () => void;
  /** Resolves at the next call, after `ms`, or when the signal comes, whichever is first. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
};

/** A wake-up for one who waits. */
export function createWakeUp(): WakeUp {
  let isCalled = false;
  let wake: (() => void) | undefined;
  return {
    call: () => {
      isCalled = true;
      wake?.();
    },
    async wait(ms, signal) {
      if (!isCalled && !signal.aborted)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(done, ms);
          signal.addEventListener('abort', done, { once: true });
          wake = done;
          function done(): void {
            clearTimeout(timer);
            signal.removeEventListener('abort', done);
            resolve();
          }
        });
      wake = undefined;
      isCalled = false;
    },
  };
}

/** Waits, but not past the signal. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return createWakeUp().wait(ms, signal);
}
