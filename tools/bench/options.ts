import { parseArgs } from 'node:util';

/** What can be measured, by the number that `--only` takes. */
const MEASUREMENTS = [1, 2, 3, 4, 5, 6, 7, 8] as const;
/** The number of a measurement. */
export type MeasurementNumber = (typeof MEASUREMENTS)[number];
/** Asked for by name alone: each has a report of its own, and most take minutes. */
const NAMED = ['bytes', 'console', 'fairness', 'lists', 'observe', 'processes', 'words'] as const;
type MeasurementName = (typeof NAMED)[number];

/** What to measure and for how long. */
export type Options = {
  readonly only: ReadonlySet<MeasurementNumber | MeasurementName>;
  readonly rounds: number;
  readonly roundSeconds: number;
  /** Where the figures go as JSON, besides the table. */
  readonly jsonFile: string | undefined;
};

/** The command line is wrong; the message is for the person who typed it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** How it is called. */
export const USAGE =
  'usage: npm run bench -- [--quick] [--only <1..8|bytes|console|fairness|lists|observe|processes|words,...>] [--json <file>]';

/** Reads the command line. Throws `UsageError`. */
export function parseOptions(args: readonly string[]): Options {
  const { only, quick, json } = parseFlags(args);
  return {
    only: new Set(only === undefined ? MEASUREMENTS : only.split(',').map(parseNumber)),
    rounds: quick ? 1 : 3,
    roundSeconds: quick ? 4 : 10,
    jsonFile: json,
  };
}

function parseFlags(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: { only: { type: 'string' }, quick: { type: 'boolean', default: false }, json: { type: 'string' } },
    }).values;
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : 'unknown option'}\n${USAGE}`);
  }
}

function parseNumber(text: string): MeasurementNumber | MeasurementName {
  const found = [...MEASUREMENTS, ...NAMED].find((known) => String(known) === text.trim());
  if (found === undefined)
    throw new UsageError(`--only takes numbers from 1 to ${MEASUREMENTS.length}, and ${NAMED.join(', ')}\n${USAGE}`);
  return found;
}
