import { formatEntry, hashCore } from '@answer-evidence/commitments';
import type { EntryType } from '@answer-evidence/contracts';
import { formatHex, formatTimestamp, parseHex, parseTimestamp } from '@answer-evidence/encoding';
import { leafHash, verifyInclusion } from '@answer-evidence/merkle';
import { parseTlogProof } from '@answer-evidence/note';
import { type BundleContext, readEntry, type ShownLeaf } from '../bundle-context.ts';
import { assertSame, CheckFailure, pass, type Verdict } from '../verdict.ts';
import { assertAttachments } from './attachments.ts';
import { assertHolds, describeHolds } from './holds.ts';

/** Every entry is rebuilt from its object, hashed and compared with its leaf; times ascend as the leaves do. */
export function checkLeafEntries({ bundle, leaves, otherLeaves }: BundleContext): Verdict {
  const all = [...leaves, ...otherLeaves].map((leaf) => {
    const entry = readEntry(leaf);
    const at = parseTimestamp(entry.at);
    assertSame(`the entry of ${leaf.name}`, rebuildEntry(leaf, entry.type, at), leaf.entry);
    assertSame(`the leaf hash of ${leaf.name}`, formatHex(leafHash(leaf.entry)), leaf.leaf_hash);
    return { name: leaf.name, index: leaf.leaf_index, at };
  });
  const inOrder = all.toSorted((a, b) => a.index - b.index);
  inOrder.forEach((leaf, i) => {
    const before = inOrder[i - 1];
    if (before === undefined) return;
    if (before.index === leaf.index) throw new CheckFailure(`${before.name} and ${leaf.name} are the same leaf`);
    // Every leaf between them takes a microsecond.
    if (leaf.at < before.at + (leaf.index - before.index)) {
      const leaves = leaf.index - before.index;
      throw new CheckFailure(
        `${leaf.name} follows ${before.name} in the log by ${leaves} leaves, but is not that many microseconds later`,
        { expected: `after ${formatTimestamp(before.at)}`, actual: formatTimestamp(leaf.at) },
      );
    }
  });
  const recordLeaf = bundle.record.leaf_index;
  if (leaves.some((leaf) => leaf.leaf_index < recordLeaf))
    throw new CheckFailure('an entry about the record precedes it in the log');
  assertAttachments(bundle);
  const held = describeHolds(assertHolds(bundle));
  const rebuilt = `${all.length} entries, rebuilt from their objects, hash to their leaves`;
  return pass(held === undefined ? rebuilt : `${rebuilt}; ${held}`);
}

/** Each leaf's proof against the root of the bundle's one checkpoint. */
export function checkMerkleInclusion({ bundle, leaves, otherLeaves, readCheckpoint }: BundleContext): Verdict {
  const { checkpoint } = readCheckpoint();
  const all = [...leaves, ...otherLeaves];
  for (const leaf of all) {
    const proof = parseTlogProof(leaf.proof);
    if (proof.checkpoint !== bundle.checkpoint) {
      throw new CheckFailure(`the proof of ${leaf.name} does not lead to the bundle’s checkpoint`);
    }
    assertSame(`the index in the proof of ${leaf.name}`, leaf.leaf_index, proof.index);
    verifyInclusion(proof.index, checkpoint.size, leafHash(leaf.entry), proof.hashes, checkpoint.root);
  }
  return pass(`${all.length} leaves are in the tree of ${checkpoint.size} leaves`);
}

function rebuildEntry(leaf: ShownLeaf, type: EntryType, at: number): string {
  if (!leaf.types.includes(type)) throw new CheckFailure(`the entry of ${leaf.name} has another type`);
  if (typeof leaf.id !== 'string' || typeof leaf.subject !== 'string')
    throw new CheckFailure(`${leaf.name} has no id or no subject`);
  return formatEntry({
    type,
    id: leaf.id,
    subject: leaf.subject,
    seq: leaf.seq,
    hash: parseHex(hashCore(type, leaf.core).slice('sha256:'.length)),
    at,
  });
}
