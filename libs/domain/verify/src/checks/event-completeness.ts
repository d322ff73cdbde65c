import type { BundleContext } from '../bundle-context.ts';
import { findGaps, isInGap, skipForGaps } from '../log-gaps.ts';
import { CheckFailure, pass, skip, type Verdict } from '../verdict.ts';

const LEFT_OUT = 'a later correction, void or redaction could have been left out';

/** What the log holds about the record up to the checkpoint against what is shown, in both directions. */
export async function checkEventCompleteness(context: BundleContext): Promise<Verdict> {
  const { bundle, leaves, options } = context;
  const { checkpoint } = context.readCheckpoint();
  if (options.log === undefined) {
    return skip(`this check needs the log: ${LEFT_OUT}`);
  }
  const logged = await options.log.entriesNaming(bundle.record.core.id, checkpoint.size);
  const gaps = await findGaps(options.log, checkpoint.size);
  const shown = new Map(leaves.map((leaf) => [leaf.leaf_index, leaf.entry]));
  const counts = { expected: String(logged.length), actual: String(leaves.length) };
  for (const { leaf_index: index, entry } of logged) {
    if (!shown.has(index)) {
      throw new CheckFailure(`leaf ${index} of the log is about this record but is not shown`, counts);
    }
    if (shown.get(index) !== entry) throw new CheckFailure(`leaf ${index} of the log differs from the one shown`);
  }
  if (logged.length !== leaves.filter((leaf) => !isInGap(gaps, leaf.leaf_index)).length) {
    throw new CheckFailure('entries are shown that the log does not have', counts);
  }
  if (gaps.length > 0) return skipForGaps(gaps, LEFT_OUT);
  const source = options.log.verified === 'tiles' ? 'the log, hashed leaf by leaf,' : 'the service’s database';
  return pass(`${source} has no other entry about this record below leaf ${checkpoint.size}`, counts);
}
