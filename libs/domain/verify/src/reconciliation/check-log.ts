import { formatEntry, hashCore } from '@answer-evidence/commitments';
import type { ReconciliationProof } from '@answer-evidence/contracts';
import { formatHex, parseHex, parseTimestamp } from '@answer-evidence/encoding';
import { leafHash, verifyConsistency, verifyInclusion } from '@answer-evidence/merkle';
import { parseNote, parseTlogProof } from '@answer-evidence/note';
import { formatStatement, searchEnd, statementOf } from '@answer-evidence/reconciliation';
import { readEntry } from '../bundle-context.ts';
import type { CheckpointContext } from '../checkpoint-context.ts';
import { findGaps, isInGap, skipForGaps } from '../log-gaps.ts';
import { requirePins, verifyPinned } from '../trusted-checkpoint.ts';
import { assertSame, CheckFailure, notApplicable, pass, skip, type Verdict } from '../verdict.ts';
import type { ProofContext } from './proof-context.ts';

/** What the checks of the log read: the proof and its checkpoint, no files. */
export type ProofCase = CheckpointContext & { readonly bundle: ReconciliationProof };

/** The run's own note: its text is made of the core, and each pinned Ed25519 key of the checkpoint's size signed it. */
export async function checkStatement({ bundle, trust, options, readCheckpoint }: ProofCase): Promise<Verdict> {
  const note = parseNote(bundle.note);
  assertSame('the statement', formatStatement(statementOf(bundle.origin, bundle.run.core)), note.text);
  const pins = requirePins(trust, bundle.origin);
  const { checkpoint } = readCheckpoint();
  const signers = await verifyPinned(note, checkpoint, pins, options.verifySignature, 'ed25519-keys');
  return pass(
    `the roots, counts and tree are signed by ${signers.length === 1 ? 'the pinned key' : `${signers.length} pinned keys`}`,
  );
}

/** The entry of the run rebuilt from its core, and its leaf. */
export function checkRunEntry({ bundle }: ProofCase): Verdict {
  const { run, workspace_id: workspaceId } = bundle;
  const { at } = readEntry({ name: 'the run', entry: run.entry });
  const rebuilt = formatEntry({
    type: 'reconciliation_completed',
    id: run.core.id,
    subject: workspaceId,
    seq: 0,
    hash: parseHex(hashCore('reconciliation_completed', run.core).slice('sha256:'.length)),
    at: parseTimestamp(at),
  });
  assertSame('the entry of the run', rebuilt, run.entry);
  assertSame('the leaf hash of the run', formatHex(leafHash(run.entry)), run.leaf_hash);
  return pass(`the core of the run matches its entry of ${at}`);
}

/** The receipt of the run's entry. */
export function checkRunInclusion({ bundle, readCheckpoint }: ProofCase): Verdict {
  const { checkpoint } = readCheckpoint();
  const proof = parseTlogProof(bundle.run.proof);
  if (proof.checkpoint !== bundle.checkpoint)
    throw new CheckFailure('the receipt of the run does not lead to the checkpoint shown');
  assertSame('the index in the receipt', bundle.run.leaf_index, proof.index);
  verifyInclusion(proof.index, checkpoint.size, leafHash(bundle.run.entry), proof.hashes, checkpoint.root);
  return pass(`the run is leaf ${proof.index} of the tree of ${checkpoint.size} leaves`);
}

/** The tree that the run speaks of is one history with the checkpoint, and ends before the run's own entry. */
export function checkSnapshot({ bundle, readCheckpoint }: ProofCase): Verdict {
  const { checkpoint } = readCheckpoint();
  const { snapshot, anchored_tree_size: anchored } = bundle.run.core;
  if (snapshot.tree_size > bundle.run.leaf_index)
    throw new CheckFailure('the run is inside the tree that it was decided over');
  if (anchored !== null && anchored > snapshot.tree_size)
    throw new CheckFailure('the stated anchored size is larger than the tree of the run');
  verifyConsistency(
    snapshot.tree_size,
    checkpoint.size,
    parseHex(snapshot.root_hash),
    checkpoint.root,
    bundle.consistency.map((hash) => parseHex(hash)),
  );
  return pass(`the run was decided over the first ${snapshot.tree_size} leaves of the same history`);
}

/** Every record of the set is the leaf that it says, and its status has the events that it needs, in the log itself. */
export async function checkRecordLeaves(context: ProofContext): Promise<Verdict> {
  const { bundle, options, rules } = context;
  const records = context.records();
  if (records.length === 0) return notApplicable('the record set is empty');
  if (options.log?.entriesBelow === undefined)
    return skip('the log is not available, so the records of the set were not looked up in it');
  const { tree_size: treeSize } = bundle.run.core.snapshot;
  const entries = await options.log.entriesBelow(treeSize);
  const gaps = await findGaps(options.log, treeSize);
  const parsed = entries.map((entry, index) =>
    entry === undefined ? undefined : readEntry({ name: `leaf ${index} of the log`, entry }),
  );
  const subjects = new Set(parsed.map((entry) => (entry?.type === 'lifecycle_event' ? entry.subject : undefined)));
  for (const { facts, entry } of records) {
    const { id, leafIndex, status } = facts;
    if (!isInGap(gaps, leafIndex)) assertSame(`the leaf ${leafIndex}`, entries[leafIndex] ?? 'none', entry);
    if (status !== 'recorded' && !subjects.has(id) && gaps.length === 0)
      throw new CheckFailure(`the record at leaf ${leafIndex} is ${status}, but the log has no event for it`);
  }
  if (gaps.length > 0) return skipForGaps(gaps, 'not every record of the set was looked up in it');
  const shown = new Set(records.map(({ facts }) => facts.leafIndex));
  const others = parsed.filter((entry, index) => {
    const time = entry?.type === 'answer_recorded' && !shown.has(index) ? parseTimestamp(entry.at) : -1;
    return rules.windowStart <= time && time < searchEnd(rules);
  });
  return pass(
    `${records.length} records are leaves of the log; ${others.length} others of this time are not in the set: according to the service, they have another application or environment or lie after the window`,
  );
}
