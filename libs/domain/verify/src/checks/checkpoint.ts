import type { LogKey } from '@answer-evidence/contracts';
import { equalBytes } from '@answer-evidence/encoding';
import { verifyConsistency } from '@answer-evidence/merkle';
import { ED25519, parseVkey } from '@answer-evidence/note';
import type { BundleContext } from '../bundle-context.ts';
import type { CheckpointContext } from '../checkpoint-context.ts';
import { compareWith } from '../compare-with.ts';
import type { GivenTree } from '../given-tree.ts';
import { keysAt, requirePins, verifyPinned } from '../trusted-checkpoint.ts';
import { CheckFailure, notApplicable, pass, skip, type Verdict } from '../verdict.ts';

/** The checkpoint's signatures under the pinned keys of its size, which must also be the keys that the bundle names. */
export async function checkCheckpointSignature(context: CheckpointContext): Promise<Verdict> {
  const { bundle, trust, options, pins } = context;
  const { note, checkpoint } = context.readCheckpoint();
  const pinned = requirePins(trust, checkpoint.origin);
  const signers = await verifyPinned(note, checkpoint, pinned, options.verifySignature);
  if (describeKeys(bundle.log_keys, checkpoint.size) !== describeKeys(ofBundles(pinned), checkpoint.size)) {
    throw new CheckFailure('the bundle and the trust file name different keys for this tree size');
  }
  for (const vkey of signers) pins.add(vkey);
  return pass(
    `signed by ${signers.length === 1 ? 'the pinned key' : `${signers.length} pinned keys`} of this tree size`,
  );
}

/** The checkpoint against trees of the log that were shown before it, or after it. */
export async function checkCheckpointConsistency(context: BundleContext): Promise<Verdict> {
  const { options, readCheckpoint } = context;
  const { checkpoint } = readCheckpoint();
  const published = options.published ?? [];
  const given = await compareGiven(context, (await options.given?.treesOf(checkpoint.origin)) ?? []);
  if (published.length + given.compared.length + given.open.length === 0)
    return notApplicable('no other checkpoint of the log is available for comparison');
  for (const head of published) {
    const [first, second] = head.size <= checkpoint.size ? [head, checkpoint] : [checkpoint, head];
    verifyConsistency(first.size, second.size, first.root, second.root, head.proof);
  }
  if (given.open.length > 0)
    return skip(`whether it continues the trees of sizes ${given.open.join(', ')} needs the log, or a quorum for both`);
  const sizes = [...published.map((head) => head.size), ...given.compared].join(', ');
  return pass(`the same history as the trees of sizes ${sizes}`);
}

/** Smaller trees that other files show, and those of its own size. Larger ones are compared with theirs. */
async function compareGiven(
  context: BundleContext,
  trees: readonly GivenTree[],
): Promise<{ readonly compared: readonly number[]; readonly open: readonly number[] }> {
  const { checkpoint } = context.readCheckpoint();
  const others = trees.filter(
    ({ size, root }) => size < checkpoint.size || (size === checkpoint.size && !equalBytes(root, checkpoint.root)),
  );
  const [compared, open] = [new Set<number>(), new Set<number>()];
  for (const tree of others) {
    const relation = await compareWith(context, tree);
    if (relation === 'contradicts')
      throw new CheckFailure(
        `the log has signed another history: a given file shows another tree of ${tree.size} leaves`,
      );
    (relation === 'continues' ? compared : open).add(tree.size);
  }
  const inOrder = (sizes: Iterable<number>) => [...sizes].toSorted((a, b) => a - b);
  return { compared: inOrder(compared), open: inOrder(open) };
}

/** Which key of which range; its end is left out, because an active key may have been retired since. */
function describeKeys(keys: readonly LogKey[], size: number): string {
  return keysAt(keys, size)
    .map((key) => `${key.first_tree_size} ${key.vkey}`)
    .sort()
    .join('\n');
}

/** A trust file may be put together from several; a bundle lists each Ed25519 key once. */
function ofBundles(keys: readonly LogKey[]): readonly LogKey[] {
  const listed = keys.filter(({ vkey }) => parseVkey(vkey).type === ED25519);
  return [...new Map(listed.map((key) => [`${key.first_tree_size} ${key.vkey}`, key])).values()];
}
