import type { Outcome, ProofBundle, TrustFile } from '@answer-evidence/contracts';
import { type Checkpoint, parseCheckpoint, parseNote, type SignedNote } from '@answer-evidence/note';
import { type AnchorJudgement, judgeBundleAnchors } from './judge-anchors.ts';
import { once } from './once.ts';
import { CheckFailure } from './verdict.ts';
import type { VerifyOptions } from './verify-options.ts';

/** What a file has of the checkpoint that all of its proofs lead to, and of who vouches for it. */
export type ShownCheckpoint = Pick<ProofBundle, 'origin' | 'checkpoint' | 'anchors' | 'log_keys' | 'policy'>;

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
): CheckpointContext {
  const readCheckpoint = once(() => readShown(bundle));
  const judgeAnchors = once(() => judgeBundleAnchors(bundle, trust, options, () => readCheckpoint().note.text));
  return { bundle, trust, options, readCheckpoint, judgeAnchors, pins: new Set(), outcomes: new Map() };
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
