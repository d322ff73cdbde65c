import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Ticker } from '@answer-evidence/ports';

const INTERVAL_MS = 10_000;
/** A process is idle that was busy for less than this share of an interval. */
const IDLE_SHARE = 0.05;
/** A process that holds so much more than after the last collection has something to return. */
const GROWTH_BYTES_MIN = 64 * 1024 * 1024;

/** What tells whether a process has time and reason to return memory, and how it does. */
type MemoryDeps = {
  readonly requestsInProgress: () => number;
  /** The share of time since it was last asked in which the event loop was busy. */
  readonly busyShare: () => number;
  readonly residentBytes: () => number;
  /** Collects all garbage, and returns the pages that are free then. */
  readonly collect: () => Promise<void>;
};

/**
 * Returns the memory of large requests once the process has been idle: V8 keeps emptied pages until its next full
 * collection, which an idle process may not see for hours. It holds the event loop for some 100 ms, so it happens once
 * for each time that memory has grown, and never while somebody waits for a response.
 */
export function memoryTicker({ requestsInProgress, busyShare, residentBytes, collect }: MemoryDeps): Ticker {
  let settledBytes: number | undefined;
  return {
    name: 'return-memory',
    intervalMs: INTERVAL_MS,
    async run() {
      settledBytes ??= residentBytes();
      const isIdle = busyShare() < IDLE_SHARE && requestsInProgress() === 0;
      if (!isIdle || residentBytes() < settledBytes + GROWTH_BYTES_MIN) return;
      await collect();
      settledBytes = residentBytes();
    },
  };
}

/** The parts of this process. */
export function memoryOfProcess(requestsInProgress: () => number): MemoryDeps {
  let last = performance.eventLoopUtilization();
  return {
    requestsInProgress,
    busyShare() {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, last);
      last = now;
      return utilization;
    },
    residentBytes: () => process.memoryUsage.rss(),
    collect: findCollector(),
  };
}

type Collector = (options: {
  readonly type: 'major';
  readonly flavor: 'last-resort';
  readonly execution: 'async';
}) => Promise<void>;

/** V8 gives its collector to contexts that are made while the flag is set. An ordinary collection keeps the pages. */
function findCollector(): () => Promise<void> {
  setFlagsFromString('--expose-gc');
  const collector = runInNewContext('gc') as Collector;
  setFlagsFromString('--no-expose-gc');
  return () => collector({ type: 'major', flavor: 'last-resort', execution: 'async' });
}

/** What a request is answered with: it closes when that is over, or when the caller has left. */
type Response = { once(event: 'close', listener: () => void): unknown };

/** Counts the requests that are in progress. */
export function countRequests(): { readonly inProgress: () => number; readonly note: (response: Response) => void } {
  let inProgress = 0;
  const end = () => {
    inProgress -= 1;
  };
  return {
    inProgress: () => inProgress,
    note(response) {
      inProgress += 1;
      response.once('close', end);
    },
  };
}
