import type { WorkQuestion } from './work-finder.ts';

/** Work that is done again and again; one run at a time, the next starts `intervalMs` after the last has ended. */
export type Ticker = {
  readonly name: string;
  readonly intervalMs: number;
  /** Whether it runs once more when the process stops, after the last request. */
  readonly atStop?: boolean;
  /** What is asked before each run: it is left out where nothing of this is to be done. Undefined: it runs anyway. */
  readonly work?: () => readonly WorkQuestion[] | undefined;
  /** An error is logged and counted; the next tick comes all the same. */
  run(signal: AbortSignal): Promise<void>;
};
