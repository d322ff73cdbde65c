import { performance } from 'node:perf_hooks';
import { type DestinationStream, pino } from 'pino';

const STANDARD_OUTPUT = 1;
/** What may wait for a reader who is slow; lines beyond it are dropped. */
const WAITING_BYTES_MAX = 8 * 1024 * 1024;
/** How often a destination that cannot be written to is tried again. */
const TRY_EVERY_MS = 1_000;

/** Where log lines go, in the order in which they come, without anyone waiting for them. */
type LogDestination = DestinationStream & {
  /** How many lines could not be written so far. */
  readonly lostLines: number;
};

/**
 * Standard output, or the file of a descriptor. A log that cannot be written, such as on a full disk, ends nothing:
 * lines are dropped and counted until it can be written again, and then `onWritable` is told how many there were.
 */
export function openLogDestination(
  onWritable: (lostLines: number) => void,
  descriptor: number = STANDARD_OUTPUT,
): LogDestination {
  const stream = pino.destination({ dest: descriptor, sync: false, maxLength: WAITING_BYTES_MAX });
  let lostLines = 0;
  /** Since the destination failed: when it was last tried, and what was lost before; undefined while it works. */
  let failure: { triedMs: number; readonly lostBefore: number } | undefined;
  stream.on('error', () => {
    failure ??= { triedMs: performance.now(), lostBefore: lostLines };
  });
  stream.on('drop', () => void lostLines++);
  stream.on('write', () => {
    if (failure === undefined) return;
    const { lostBefore } = failure;
    failure = undefined;
    onWritable(lostLines - lostBefore);
  });
  return {
    get lostLines() {
      return lostLines;
    },
    write(line) {
      if (failure !== undefined && performance.now() - failure.triedMs < TRY_EVERY_MS) {
        lostLines++;
        return;
      }
      if (failure !== undefined) failure.triedMs = performance.now();
      // What failed before is in its buffer still, and goes out before this line.
      stream.write(line);
    },
  };
}
