const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400];
/** Lengths of time that people know, in seconds; the axis has some of them. */
const KNOWN = [1, 10, MINUTE, 10 * MINUTE, HOUR, 6 * HOUR, DAY, 7 * DAY, 30 * DAY, 365 * DAY] as const;
/** More lines than this are too close to each other to be read. */
const LINES_MAX = 4;

/** A scale on which a second and a month can both be read: by the logarithm of the time. */
type Scale = {
  /** Where a lag of so many seconds is, from 0 at the foot to 1 at the top. */
  readonly placeOf: (seconds: number) => number;
  /** The lags with a line of their own, in seconds, the smallest first; the last is the top. */
  readonly lines: readonly number[];
};

/** The scale for lags of up to `worst` seconds. */
export function planScale(worst: number): Scale {
  const top = KNOWN.find((known) => known >= worst) ?? worst;
  const below = KNOWN.filter((known) => known < top);
  const step = Math.ceil((below.length + 1) / LINES_MAX);
  // From the top, so that it is one of them.
  const lines = [...below, top].toReversed().filter((_, at) => at % step === 0);
  return { placeOf: (seconds) => Math.log1p(Math.max(0, seconds)) / Math.log1p(top), lines: lines.toReversed() };
}
