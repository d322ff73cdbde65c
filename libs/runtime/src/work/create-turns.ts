/** How long one round of the event loop is given to long work, in milliseconds. */
export const SLICE_MS = 4;

/**
 * Turns for long work in this thread: `turn` resolves when the caller may go on. In each round of the event loop long
 * work has one slice, begun by the caller that has waited longest; when it is over, all wait for the next ones, so that
 * between two slices everything that has arrived meanwhile is attended to. A slice is over by the clock, whatever its
 * work was: call `turn` before each piece of work, however small.
 */
export function createTurns(nowMs: () => number = () => performance.now()): () => Promise<void> {
  const waiting: (() => void)[] = [];
  let begunMs = Number.NEGATIVE_INFINITY;

  function giveNext(): void {
    begunMs = nowMs();
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(giveNext);
  }

  return () => {
    if (nowMs() - begunMs < SLICE_MS) return Promise.resolve();
    return new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(giveNext);
    });
  };
}

/** Of this thread: all long work of all stages takes turns. */
export const turn = createTurns();
