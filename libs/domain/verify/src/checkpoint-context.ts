import { parseEntry } from '@answer-evidence/commitments';
import type { Outcome, ProofBundle, TrustFile } from '@answer-evidence/contracts';
import { parseTimestamp } from '@answer-evidence/encoding';
import { leafHash, verifyInclusion } from '@answer-evidence/merkle';
import { type Checkpoint, parseCheckpoint, parseNote, parseTlogProof, type SignedNote } from '@answer-evidence/note';
import { type AnchorJudgement, judgeBundleAnchors } from './judge-anchors.ts';
import { once } from './once.ts';
import { findYoungest, type YoungestLeaf, youngestOf } from './stated-times.ts';
import { CheckFailure } from './verdict.ts';
import type { ProvenLeaf, VerifyOptions } from './verify-options.ts';

/** What a file has of the checkpoint that all of its proofs lead to, and of who vouches for it. */
export type ShownCheckpoint = Pick<
  ProofBundle,
  'origin' | 'checkpoint' | 'anchors' | 'renewals' | 'log_keys' | 'policy'
>;

/** A checkpoint and the note that it is the text of. */
type ReadCheckpoint = { readonly note: SignedNote; readonly checkpoint: Checkpoint };

/** What the checks of a checkpoint are made of, whichever file shows it. */
export type CheckpointContext = {
  readonly bundle: ShownCheckpoint;
  readonly trust: TrustFile;
  readonly options: VerifyOptions;
  /** The checkpoint, read once. Throws when it is not one, or that of another log than the bundle names. */
  readonly readCheckpoint: () => ReadCheckpoint;
  /** The anchors, judged once. Rejects with `CheckFailure` for an artefact that does not hold. */
  readonly judgeAnchors: () => Promise<AnchorJudgement>;
  /** The leaves of the evidence whose proofs lead to the root. Others say nothing about this tree. */
  readonly proven: () => readonly ProvenLeaf[];
  /** The youngest leaf that is known under the checkpoint: of those shown, or of the log where it was given. */
  readonly youngest: () => Promise<YoungestLeaf | undefined>;
  /** Keys of the trust file whose signatures were found good, filled by the checks. */
  readonly pins: Set<string>;
  /** The outcomes of the checks made so far, by name; `anchored` stands on those before it. */
  readonly outcomes: Map<string, Outcome>;
};

/** The context of a checkpoint before any check. */
export function createCheckpointContext(
  bundle: ShownCheckpoint,
  trust: TrustFile,
  options: VerifyOptions,
  leaves: readonly ShownEntry[],
): CheckpointContext {
  const readCheckpoint = once(() => readShown(bundle));
  const proven = once(() => leaves.filter((leaf) => isUnder(readCheckpoint().checkpoint, leaf)));
  const youngest = once(() => findYoungestUnder(readCheckpoint().checkpoint, proven(), options));
  const judgeAnchors = once(() =>
    judgeBundleAnchors(bundle, trust, options, async () => ({
      text: readCheckpoint().note.text,
      youngest: await youngest(),
    })),
  );
  const found = { pins: new Set<string>(), outcomes: new Map<string, Outcome>() };
  return { bundle, trust, options, readCheckpoint, judgeAnchors, proven, youngest, ...found };
}

/** A leaf that evidence shows. */
type ShownEntry = ProvenLeaf & { readonly proof: string };

async function findYoungestUnder(
  { size }: Checkpoint,
  proven: readonly ProvenLeaf[],
  { log, checkpointAt }: VerifyOptions,
): Promise<YoungestLeaf | undefined> {
  const shown = findYoungest(proven);
  const last = checkpointAt === undefined ? [] : [{ name: `leaf ${size - 1}`, at: parseTimestamp(checkpointAt) }];
  return youngestOf([...(shown === undefined ? [] : [shown]), ...last, ...(await youngestOfLog(log, size))]);
}

/** What is not under the root fails `merkle_inclusion`, and what is no entry fails `leaf_entry`. */
function isUnder({ size, root }: Checkpoint, { leaf_index: index, entry, proof }: ShownEntry): boolean {
  try {
    verifyInclusion(index, size, leafHash(entry), parseTlogProof(proof).hashes, root);
    parseEntry(entry);
    return true;
  } catch {
    return false;
  }
}

async function youngestOfLog(log: VerifyOptions['log'], size: number): Promise<readonly YoungestLeaf[]> {
  try {
    const youngest = await log?.youngestBelow?.(size);
    return youngest === undefined ? [] : [youngest];
  } catch (error) {
    // A log that does not lead to the checkpoint fails the checks that read it, and says nothing of its leaves.
    if (error instanceof CheckFailure) return [];
    throw error;
  }
}

function readShown({ origin, checkpoint: shown }: ShownCheckpoint): ReadCheckpoint {
  const note = parseNote(shown);
  const checkpoint = parseCheckpoint(note.text);
  if (checkpoint.origin !== origin) {
    throw new CheckFailure('the checkpoint and the bundle are from different logs', {
      expected: origin,
      actual: checkpoint.origin,
    });
  }
  return { note, checkpoint };
}
