type Waiting = { readonly start: () => void };

/** Runs tasks, so many at once; those who wait have their turns one after another, whatever each of them has sent. */
type FairQueue = {
  run<T>(key: string, task: () => Promise<T>): Promise<T>;
};

/** A queue with a place for every key that has something waiting. */
export function createFairQueue(atOnce: number): FairQueue {
  /** A map iterates in order of insertion: the first key is the one whose turn it is. */
  const waiting = new Map<string, Waiting[]>();
  let running = 0;

  function startNext(): void {
    for (const [key, tasks] of waiting) {
      if (running >= atOnce) return;
      const next = tasks.shift();
      waiting.delete(key);
      if (tasks.length > 0) waiting.set(key, tasks);
      running += 1;
      next?.start();
    }
  }

  return {
    async run(key, task) {
      await new Promise<void>((resolve) => {
        const tasks = waiting.get(key);
        if (tasks === undefined) waiting.set(key, [{ start: resolve }]);
        else tasks.push({ start: resolve });
        startNext();
      });
      try {
        return await task();
      } finally {
        running -= 1;
        startNext();
      }
    },
  };
}
