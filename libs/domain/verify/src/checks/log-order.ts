import type { CheckpointContext } from '../checkpoint-context.ts';
import { findGaps, skipForGaps } from '../log-gaps.ts';
import { CheckFailure, pass, skip, type Verdict } from '../verdict.ts';

/** Whether every leaf of the log is in its place; without the log, the leaves shown beside those of other files. */
export async function checkLogOrder(context: CheckpointContext): Promise<Verdict> {
  const { options, readCheckpoint, proven } = context;
  const { log } = options;
  const { checkpoint } = readCheckpoint();
  await assertNoConflict(context);
  if (log?.orderBelow === undefined)
    return skip('this check needs the log: a leaf may have a time that the leaves beside it contradict');
  const { read, disorder } = await log.orderBelow(checkpoint.size, proven());
  if (disorder !== undefined) throw new CheckFailure(disorder);
  const gaps = await findGaps(log, checkpoint.size);
  if (gaps.length > 0) return skipForGaps(gaps, `only ${read} were seen to be in order`);
  return pass(`${read} are in order`);
}

async function assertNoConflict({ options, readCheckpoint, proven }: CheckpointContext): Promise<void> {
  const conflicts = (await options.given?.conflictsOf(readCheckpoint().checkpoint.origin)) ?? [];
  if (conflicts.length === 0) return;
  const own = new Set(proven().map(({ leaf_index: index }) => index));
  const found = conflicts.find(({ leaves }) => leaves.some((leaf) => own.has(leaf)));
  if (found !== undefined) throw new CheckFailure(`the files contradict each other: ${found.detail}`);
}
