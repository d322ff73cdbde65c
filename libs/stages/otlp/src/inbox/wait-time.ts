import type { OtlpDeps } from '../deps.ts';

/** The time that all waits of one request have together. */
export type WaitTime = {
  /** Resolves when the time is up, or was ended. It begins with the first call. */
  readonly timeUp: () => Promise<unknown>;
  /** Call it once, when nothing waits any more. */
  end(): void;
};

/** The time of one request. One timer serves all of its waits: to abort one each costs more than a wait does. */
export function createWaitTime({ otlpLedgerWaitMs, pause }: Pick<OtlpDeps, 'otlpLedgerWaitMs' | 'pause'>): WaitTime {
  const over = new AbortController();
  let up: Promise<unknown> | undefined;
  return {
    timeUp: () => (up ??= pause(otlpLedgerWaitMs, over.signal).catch(() => undefined)),
    end() {
      if (up !== undefined) over.abort();
    },
  };
}
