import type { OtlpDeps } from '../deps.ts';

/** The time that all waits of one request have together. It begins with the first of them. */
export type WaitTime = {
  /** Waits for what ends on its own, or by the time being up. */
  within<T>(wait: (timeUp: () => Promise<unknown>) => Promise<T>): Promise<T>;
};

/** The time of one request. */
export function createWaitTime({ otlpLedgerWaitMs, pause }: Pick<OtlpDeps, 'otlpLedgerWaitMs' | 'pause'>): WaitTime {
  let endMs: number | undefined;
  return {
    async within(wait) {
      const over = new AbortController();
      try {
        return await wait(() => {
          endMs ??= performance.now() + otlpLedgerWaitMs;
          return pause(Math.max(0, endMs - performance.now()), over.signal).catch(() => undefined);
        });
      } finally {
        over.abort();
      }
    },
  };
}
