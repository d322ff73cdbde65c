import type { LogKey } from '@answer-evidence/contracts';
import { verifyConsistency } from '@answer-evidence/merkle';
import type { BundleContext } from '../bundle-context.ts';
import type { CheckpointContext } from '../checkpoint-context.ts';
import { keysAt, requirePins, verifyPinned } from '../trusted-checkpoint.ts';
import { CheckFailure, notApplicable, pass, type Verdict } from '../verdict.ts';

/** The checkpoint's signatures under the pinned keys of its size, which must also be the keys that the bundle names. */
export async function checkCheckpointSignature(context: CheckpointContext): Promise<Verdict> {
  const { bundle, trust, options, pins } = context;
  const { note, checkpoint } = context.readCheckpoint();
  const pinned = requirePins(trust, checkpoint.origin);
  const signers = await verifyPinned(note, checkpoint, pinned, options.verifyEd25519);
  if (describeKeys(bundle.log_keys, checkpoint.size) !== describeKeys(withoutRepeats(pinned), checkpoint.size)) {
    throw new CheckFailure('the bundle and the trust file name different keys for this tree size');
  }
  for (const vkey of signers) pins.add(vkey);
  return pass(
    `signed by ${signers.length === 1 ? 'the pinned key' : `${signers.length} pinned keys`} of this tree size`,
  );
}

/** The checkpoint against trees of the log that were shown before it, or after it. */
export function checkCheckpointConsistency({ options, readCheckpoint }: BundleContext): Verdict {
  const { checkpoint } = readCheckpoint();
  const published = options.published ?? [];
  if (published.length === 0) return notApplicable('no other checkpoint of the log is available for comparison');
  for (const head of published) {
    const [first, second] = head.size <= checkpoint.size ? [head, checkpoint] : [checkpoint, head];
    verifyConsistency(first.size, second.size, first.root, second.root, head.proof);
  }
  const sizes = published.map((head) => head.size).join(', ');
  return pass(`the same history as the trees of sizes ${sizes}`);
}

/** Which key of which range; its end is left out, because an active key may have been retired since. */
function describeKeys(keys: readonly LogKey[], size: number): string {
  return keysAt(keys, size)
    .map((key) => `${key.first_tree_size} ${key.vkey}`)
    .sort()
    .join('\n');
}

/** A trust file may be put together from several; a bundle lists each key once. */
function withoutRepeats(keys: readonly LogKey[]): readonly LogKey[] {
  return [...new Map(keys.map((key) => [`${key.first_tree_size} ${key.vkey}`, key])).values()];
}
