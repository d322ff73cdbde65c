import type { MeasurementNumber } from './options.ts';

/** A measured value; `rounds` holds what its median was taken of. */
export type Figure = {
  readonly name: string;
  readonly unit: string;
  readonly median: number;
  readonly rounds: readonly number[];
};

/** What one measurement came to. `ratio` is measured by against. */
export type Result = {
  readonly number: MeasurementNumber;
  readonly work: string;
  readonly measured: Figure;
  readonly against: Figure | null;
  readonly ratio: number | null;
  readonly target: string;
  /** Null where the target is no number. */
  readonly holds: boolean | null;
};

/** A figure of the values of all rounds. */
export function createFigure(name: string, unit: string, rounds: readonly number[]): Figure {
  return { name, unit, median: medianOf(rounds), rounds };
}

/** The value in the middle, or the mean of the two there. */
export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[sorted.length >> 1];
  const lower = sorted[(sorted.length - 1) >> 1];
  if (upper === undefined || lower === undefined) throw new Error('a median needs a value');
  return (lower + upper) / 2;
}

/** The smallest value that at least this part of all values does not exceed (nearest rank). */
export function percentileOf(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)];
  if (value === undefined) throw new Error('a percentile needs a value');
  return value;
}

/** The distance of the largest value from the smallest, as a part of the median. */
export function spreadOf(values: readonly number[]): number {
  return (Math.max(...values) - Math.min(...values)) / medianOf(values);
}
