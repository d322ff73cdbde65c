import type { Ticker } from '@answer-evidence/ports';

/** Starts tickers, each run `intervalMs` after the last; the result stops them, some after one more run. */
export function runTickers(
  tickers: readonly Ticker[],
  onError: (ticker: string, error: unknown) => void,
): () => Promise<void> {
  const stopping = new AbortController();
  const loops = tickers.map(async (ticker) => {
    while (!stopping.signal.aborted) {
      try {
        await ticker.run(stopping.signal);
      } catch (error) {
        onError(ticker.name, error);
      }
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
