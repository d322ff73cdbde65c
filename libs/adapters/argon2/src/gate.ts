/** Runs work, a bounded number at once; the rest waits, by rank (0 goes first) and then in the order of arrival. */
export type Gate = <T>(rank: number, work: () => Promise<T>) => Promise<T>;

type Waiting = { readonly rank: number; readonly enter: () => void; readonly refuse: (error: unknown) => void };

/**
 * A gate that lets `runningMax` in at once and `waitingMax` wait. Of one more than that, the one of the worst rank who
 * came last is refused, with what `full` makes.
 */
export function createGate(options: {
  readonly runningMax: number;
  readonly waitingMax: number;
  readonly full: () => Error;
}): Gate {
  let running = 0;
  const waiting: Waiting[] = [];

  function wait(rank: number): Promise<void> {
    return new Promise((enter, refuse) => {
      const behind = waiting.findIndex((other) => other.rank > rank);
      waiting.splice(behind < 0 ? waiting.length : behind, 0, { rank, enter, refuse });
      if (waiting.length > options.waitingMax) waiting.pop()?.refuse(options.full());
    });
  }

  return async (rank, work) => {
    // Anyone who leaves hands over their place, so `running` counts it on.
    if (running >= options.runningMax) await wait(rank);
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next.enter();
    }
  };
}
