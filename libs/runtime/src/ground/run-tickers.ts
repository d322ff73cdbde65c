import type { AskForWork, Ticker } from '@answer-evidence/ports';

/** How long the first run of a ticker waits at most for those of others. */
const IN_TURN_MS = 1_000;
/**
 * By so much sooner a ticker asks whether there is work. Questions are answered once a second, so on average its runs
 * are as far apart as it says, and of two that are asked every second neither misses a turn.
 */
const ASK_AHEAD_MS = 500;

/**
 * Starts tickers, each run `intervalMs` after the last; the result stops them, some after one more run. Their first
 * runs are one after another, so that a start does not open a connection for each: most find nothing to do. Those that
 * ask for work run only where there is any.
 */
export function runTickers(
  tickers: readonly Ticker[],
  onError: (ticker: string, error: unknown) => void,
  askForWork: AskForWork = () => Promise.resolve(true),
): () => Promise<void> {
  const stopping = new AbortController();
  let before: Promise<void> | undefined;
  const loops = tickers.map(async (ticker) => {
    const ahead = before;
    const { promise, resolve } = Promise.withResolvers<void>();
    const isAsking = ticker.work?.() !== undefined;
    if (!isAsking) before = promise;
    if (ahead !== undefined && !isAsking) await waitFor(ahead, IN_TURN_MS, stopping.signal);
    while (!stopping.signal.aborted) {
      try {
        const questions = ticker.work?.();
        if (questions === undefined || (await isThere(askForWork(questions), stopping.signal)))
          await ticker.run(stopping.signal);
      } catch (error) {
        onError(ticker.name, error);
      }
      resolve();
      const isAskedNext = ticker.work?.() !== undefined;
      await pause(Math.max(0, ticker.intervalMs - (isAskedNext ? ASK_AHEAD_MS : 0)), stopping.signal);
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

/** The answer, or no when the signal comes before it. */
async function isThere(answer: Promise<boolean>, signal: AbortSignal): Promise<boolean> {
  let stop: () => void = () => undefined;
  const stopped = new Promise<boolean>((resolve) => (stop = () => resolve(false)));
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([answer, stopped]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
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
