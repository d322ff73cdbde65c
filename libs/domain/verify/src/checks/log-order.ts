import type { CheckpointContext } from '../checkpoint-context.ts';
import { findGaps, skipForGaps } from '../log-gaps.ts';
import { CheckFailure, pass, skip, type Verdict } from '../verdict.ts';

/** Whether every leaf of the log is in its place. */
export async function checkLogOrder({ options: { log }, readCheckpoint, proven }: CheckpointContext): Promise<Verdict> {
  const { checkpoint } = readCheckpoint();
  if (log?.orderBelow === undefined)
    return skip('this check needs the log: a leaf may have a time that the leaves beside it contradict');
  const { read, disorder } = await log.orderBelow(checkpoint.size, proven());
  if (disorder !== undefined) throw new CheckFailure(disorder);
  const gaps = await findGaps(log, checkpoint.size);
  if (gaps.length > 0) return skipForGaps(gaps, `only ${read} were seen to be in order`);
  return pass(`${read} are in order`);
}
