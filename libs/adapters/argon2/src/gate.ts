/** Runs work, a bounded number at once, the rest in the order of arrival. */
export type Gate = <T>(work: () => Promise<T>) => Promise<T>;

/** A gate that lets `runningMax` in at once and `waitingMax` wait; for one more `onFull` is called, which throws. */
export function createGate(options: {
  readonly runningMax: number;
  readonly waitingMax: number;
  readonly onFull: () => never;
}): Gate {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= options.runningMax) {
      if (waiting.length >= options.waitingMax) options.onFull();
      // Anyone who leaves hands over their place, so `running` counts it on.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
