const BASE_MS = 500;
const MAX_MS = 60_000;

/** The wait after so many failures in a row, from 1: doubling, half of it jitter. `random` is in [0, 1). */
export function backoffMs(failures: number, askedMs: number, random: number): number {
  const ceiling = Math.min(MAX_MS, BASE_MS * 2 ** Math.min(failures - 1, 16));
  return Math.max(Math.min(askedMs, MAX_MS), Math.round(ceiling / 2 + (ceiling / 2) * random));
}
