import { performance } from 'node:perf_hooks';

/** From this share of the most connections on, those that have been idle longest make room. */
const CROWDED = 0.9;
/** How many of the most connections are made free at a time, and how long one must have been idle for that. */
const FREED = 0.05;
const IDLE_MS_MIN = 1_000;

/** A connection without a request in progress, and since when it has had none. */
type IdleConnection = { readonly sinceMs: number; readonly close: () => void };

/** Whether a server has nearly as many connections as it may. */
export function isCrowded(connections: number, connectionsMax: number): boolean {
  return connections >= connectionsMax * CROWDED;
}

/** Closes the connections that have been idle longest, as many as make some room. */
export function closeLongestIdle(idle: readonly IdleConnection[], connectionsMax: number): void {
  const before = performance.now() - IDLE_MS_MIN;
  const longest = idle.filter(({ sinceMs }) => sinceMs < before).sort((a, b) => a.sinceMs - b.sinceMs);
  for (const { close } of longest.slice(0, Math.ceil(connectionsMax * FREED))) close();
}
