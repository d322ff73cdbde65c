import type { Ticker } from '@answer-evidence/ports';

/** How long the first run of a ticker waits at most for those of others. */
const IN_TURN_MS = 1_000;

/**
 * Starts tickers, each run `intervalMs` after the last; the result stops them, some after one more run. Their first
 * runs are one after another, so that a start does not open a connection for each: most find nothing to do.
 */
export function runTickers(
  tickers: readonly Ticker[],
  onError: (ticker: string, error: unknown) => void,
): () => Promise<void> {
  const stopping = new AbortController();
  let before: Promise<void> | undefined;
  const loops = tickers.map(async (ticker) => {
    const ahead = before;
    const { promise, resolve } = Promise.withResolvers<void>();
    before = promise;
    if (ahead !== undefined) await waitFor(ahead, IN_TURN_MS, stopping.signal);
    while (!stopping.signal.aborted) {
      try {
        await ticker.run(stopping.signal);
      } catch (error) {
        onError(ticker.name, error);
      }
      resolve();
      await pause(ticker.intervalMs, stopping.signal);
    }
  });
  return async () => {
    stopping.abort();
    await Promise.all(loops);
    for (const ticker of tickers)
      if (ticker.atStop === true)
        await Promise.resolve()
          .then(() => ticker.run(new AbortController().signal))
          .catch((error: unknown) => onError(ticker.name, error));
  };
}

/** Until it has resolved, for so long at most. */
async function waitFor(done: Promise<void>, msMax: number, signal: AbortSignal): Promise<void> {
  const waiting = new AbortController();
  const late = pause(msMax, AbortSignal.any([signal, waiting.signal]));
  await Promise.race([done, late]);
  waiting.abort();
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
  });
}
