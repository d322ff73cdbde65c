import { equalBytes } from '@answer-evidence/encoding';
import { leafHash, verifyConsistency, verifyInclusion } from '@answer-evidence/merkle';
import { type Checkpoint, parseCheckpoint, parseNote, parseTlogProof } from '@answer-evidence/note';
import type { BundleContext } from '../bundle-context.ts';
import { findGaps, skipForGaps } from '../log-gaps.ts';
import { findPins, requirePins, verifyPinned } from '../trusted-checkpoint.ts';
import { assertSame, CheckFailure, notApplicable, pass, skip, type Verdict } from '../verdict.ts';
import type { VerifyOptions } from '../verify-options.ts';

/** The tree that the record's receipt was given in against the bundle's: it must be a prefix of the same history. */
export async function checkReceipt(context: BundleContext): Promise<Verdict> {
  const { receipt, creation } = context.options;
  if (receipt !== undefined) return checkCallersReceipt(context, receipt);
  if (creation === undefined) return notApplicable('no receipt from the record’s creation was given');
  const { checkpoint } = context.readCheckpoint();
  if (context.bundle.record.leaf_index >= creation.treeSize) {
    throw new CheckFailure('the record is not in the tree of its receipt');
  }
  verifyConsistency(creation.treeSize, checkpoint.size, creation.root, checkpoint.root, creation.consistency);
  return pass(`the log still extends the tree of ${creation.treeSize} leaves in which the receipt was issued`);
}

async function checkCallersReceipt(context: BundleContext, receipt: string): Promise<Verdict> {
  const { bundle, trust, options, pins } = context;
  const { checkpoint } = context.readCheckpoint();
  const proof = parseTlogProof(receipt);
  const note = parseNote(proof.checkpoint);
  const given = parseCheckpoint(note.text);
  // A log that lost what was signed has another name; who pins both names accepts the first receipts as they are.
  if (given.origin !== bundle.origin && findPins(trust, given.origin) === undefined) {
    assertSame('the log of the receipt', bundle.origin, given.origin);
  }
  assertSame('the leaf index of the receipt', bundle.record.leaf_index, proof.index);
  verifyInclusion(proof.index, given.size, leafHash(bundle.record.entry), proof.hashes, given.root);
  const keys = requirePins(trust, given.origin);
  const signers = await verifyPinned(note, given, keys, options.verifySignature, 'ed25519-keys');
  for (const vkey of signers) pins.add(vkey);
  if (given.origin !== bundle.origin) {
    return skip(
      `the receipt is valid for this leaf; it is from ${given.origin}, an earlier name of the log, whose trees are not compared`,
    );
  }
  return comparePrefix(given, checkpoint, options);
}

async function comparePrefix(
  given: Checkpoint,
  checkpoint: Checkpoint,
  { consistency, log }: VerifyOptions,
): Promise<Verdict> {
  if (given.size === checkpoint.size) {
    if (!equalBytes(given.root, checkpoint.root)) {
      throw new CheckFailure(`the log signed two different trees of ${given.size} leaves`);
    }
    return pass('the receipt and the checkpoint are of the same tree');
  }
  const root = given.size < checkpoint.size ? await log?.rootAt?.(given.size) : undefined;
  if (root !== undefined) {
    if (!equalBytes(root, given.root)) {
      throw new CheckFailure(`the log does not extend the receipt’s tree of ${given.size} leaves`);
    }
    return pass(`the receipt is valid, and the log extends its tree of ${given.size} leaves`);
  }
  if (consistency === undefined) {
    const undecided = `whether the log extends its tree of ${given.size} leaves`;
    // Of a tree that is larger than the checkpoint's, the log has not been read.
    const gaps = await findGaps(log, Math.min(given.size, checkpoint.size));
    if (gaps.length > 0) return skipForGaps(gaps, `the receipt is valid; it was not decided ${undecided}`);
    const since = given.size < checkpoint.size ? 'the log has grown since' : 'this evidence is older than it';
    return skip(`the receipt is valid; ${since}, and ${undecided} needs the log`);
  }
  const [first, second] = given.size < checkpoint.size ? [given, checkpoint] : [checkpoint, given];
  verifyConsistency(first.size, second.size, first.root, second.root, consistency);
  return pass(`the receipt is valid, and its tree of ${given.size} leaves is part of the same history`);
}
