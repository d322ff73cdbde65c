/**
 * Turns for long work in this thread: `turn` resolves when it is the caller's. One is given in each round of the event
 * loop, so between two pieces of long work everything that has arrived meanwhile is attended to.
 */
export function createTurns(): () => Promise<void> {
  const waiting: (() => void)[] = [];

  function giveNext(): void {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(giveNext);
  }

  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(giveNext);
    });
}
