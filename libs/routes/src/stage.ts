import type { Consumer, Look, Schedule, Ticker } from '@answer-evidence/ports';
import type { Route } from './route.ts';

/** A group of routes, tickers and consumers that one process runs or does not run. Building one starts nothing. */
export type Stage = {
  readonly name: string;
  readonly routes: readonly Route[];
  readonly tickers: readonly Ticker[];
  /** At most one for a topic over all stages. */
  readonly consumers: readonly Consumer[];
  /** Of topics that a stage of the same process consumes. */
  readonly schedules: readonly Schedule[];
  /** The same; left out: none. */
  readonly looks?: readonly Look[];
};
