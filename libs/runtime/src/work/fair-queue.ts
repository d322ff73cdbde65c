import { ServiceError } from '@answer-evidence/contracts';

/** What those are told to wait who have too many waiting. */
const RETRY_AFTER_SECONDS = 5;

/** Whose task it is: those of one `key` wait for one another, and one `owner` never has all the room. */
type Whose = { readonly owner: string; readonly key: string };
type Waiting = { readonly owner: string; readonly start: () => void };

/** Runs tasks, so many at once; those who wait have their turns one after another, whatever each of them has sent. */
type FairQueue = {
  run<T>(whose: Whose, task: () => Promise<T>): Promise<T>;
};

/**
 * A queue with a place for every key that has something waiting. Of several places, one stays for other owners. Beyond
 * `waitingMax` tasks of one key, `run` rejects with `overloaded`.
 */
export function createFairQueue(atOnce: number, waitingMax = Infinity): FairQueue {
  const ownerMax = Math.max(1, atOnce - 1);
  /** A map iterates in order of insertion: the first key is the one whose turn it is. */
  const waiting = new Map<string, Waiting[]>();
  /** How many tasks run, by owner; one without any is not there. */
  const running = new Map<string, number>();
  let runningAll = 0;

  function startNext(): void {
    for (const [key, tasks] of waiting) {
      if (runningAll >= atOnce) return;
      const [next, ...later] = tasks;
      if (next === undefined || countOf(next.owner) >= ownerMax) continue;
      waiting.delete(key);
      if (later.length > 0) waiting.set(key, later);
      running.set(next.owner, countOf(next.owner) + 1);
      runningAll += 1;
      next.start();
    }
  }

  function countOf(owner: string): number {
    return running.get(owner) ?? 0;
  }

  function end(owner: string): void {
    const left = countOf(owner) - 1;
    if (left === 0) running.delete(owner);
    else running.set(owner, left);
    runningAll -= 1;
    startNext();
  }

  return {
    async run({ owner, key }, task) {
      await new Promise<void>((resolve) => {
        const tasks = waiting.get(key);
        if (tasks !== undefined && tasks.length >= waitingMax) throw tooManyWaiting();
        if (tasks === undefined) waiting.set(key, [{ owner, start: resolve }]);
        else tasks.push({ owner, start: resolve });
        startNext();
      });
      try {
        return await task();
      } finally {
        end(owner);
      }
    },
  };
}

function tooManyWaiting(): ServiceError {
  const detail = 'too many requests from here wait for their turn; retry the same request later';
  return new ServiceError('overloaded', detail, { remedy: 'retry', retryAfterSeconds: RETRY_AFTER_SECONDS });
}
