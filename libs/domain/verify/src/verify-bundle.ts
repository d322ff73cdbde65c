import { type CheckName, CHECKS, type TrustFile, type Verification } from '@answer-evidence/contracts';
import { formatHex, parseTimestamp } from '@answer-evidence/encoding';
import { anchoringOf } from './anchoring-status.ts';
import { type BundleContext, createContext, findEntry } from './bundle-context.ts';
import { readBundle } from './bundle-format.ts';
import { checkAnchored, checkExternalAnchor, checkWitnesses } from './checks/anchoring.ts';
import { checkCheckpointConsistency, checkCheckpointSignature } from './checks/checkpoint.ts';
import { checkAnswerCommitment, checkCorrections, checkQuestionCommitment } from './checks/commitments.ts';
import { checkEventChain } from './checks/event-chain.ts';
import { checkEventCompleteness } from './checks/event-completeness.ts';
import { checkEvidenceBinding } from './checks/evidence-binding.ts';
import { checkSemanticRefs, checkSourceRefs, checkTraceRefs } from './checks/items.ts';
import { checkLeafEntries, checkMerkleInclusion } from './checks/leaves.ts';
import { checkLogOrder } from './checks/log-order.ts';
import { checkReceipt } from './checks/receipt.ts';
import { checkRecordHash, checkStatusDerivation } from './checks/record.ts';
import { checkReconciliation } from './checks/service-side.ts';
import { DOES_NOT_PROVE } from './does-not-prove.ts';
import { describeSequencing } from './sequencing.ts';
import { CheckFailure, runCheck, runChecks, type Verdict } from './verdict.ts';
import type { VerifyOptions } from './verify-options.ts';

/** The result of verifying a bundle: each check once, in `CHECKS` order; `pins` are the vkeys that signed it. */
export type BundleVerification = Verification & { readonly pins: readonly string[] };

/** A check without a function does not compile. */
const CHECK_FUNCTIONS: Readonly<Record<CheckName, (context: BundleContext) => Verdict | Promise<Verdict>>> = {
  question_commitment: checkQuestionCommitment,
  answer_commitment: checkAnswerCommitment,
  corrections: checkCorrections,
  source_refs: checkSourceRefs,
  semantic_refs: checkSemanticRefs,
  trace_refs: checkTraceRefs,
  record_hash: checkRecordHash,
  event_chain: checkEventChain,
  event_completeness: checkEventCompleteness,
  status_derivation: checkStatusDerivation,
  leaf_entry: checkLeafEntries,
  log_order: checkLogOrder,
  merkle_inclusion: checkMerkleInclusion,
  checkpoint_signature: checkCheckpointSignature,
  checkpoint_consistency: checkCheckpointConsistency,
  receipt: checkReceipt,
  evidence_binding: checkEvidenceBinding,
  reconciliation: checkReconciliation,
  witness_cosignatures: checkWitnesses,
  external_anchor: checkExternalAnchor,
  anchored: checkAnchored,
};

/**
 * Verifies a proof bundle against the verifier's own pins. Nothing in the bundle is believed, nothing is fetched and no
 * clock is read. Content never makes it throw; only input that does not name the format does (`BundleFormatError`).
 * A bundle that names the format and is not of it fails every check, with the place where it departs.
 */
export async function verifyBundle(
  bundle: unknown,
  trust: TrustFile,
  options: VerifyOptions,
): Promise<BundleVerification> {
  const read = readBundle(bundle);
  if (read.kind === 'malformed') {
    const failure = new CheckFailure(read.reason);
    const fail = (): Verdict => {
      throw failure;
    };
    const checks = await Promise.all(CHECKS.map((check) => runCheck(check, fail, DOES_NOT_PROVE)));
    return { ...NOTHING_KNOWN, answer_log_id: read.answerLogId, checks, pins: [] };
  }
  const context = createContext(read.bundle, trust, options);
  const checks = await runChecks(CHECKS, CHECK_FUNCTIONS, context, DOES_NOT_PROVE);
  return {
    ...NOTHING_KNOWN,
    ...describeCheckpoint(context),
    anchoring: anchoringOf((name) => checks.find(({ check }) => check === name)?.outcome),
    sequenced: await describeSequencing(context),
    answer_log_id: read.bundle.record.core.id,
    checks,
    pins: [...context.pins],
  };
}

const NOTHING_KNOWN: Omit<BundleVerification, 'answer_log_id' | 'checks' | 'pins'> = {
  anchoring: 'NOT_ANCHORED',
  checkpoint: null,
  status_as_of: null,
  sequenced: { stated: null, after: null, after_by: [], not_later_than: null, not_later_than_by: [] },
};

/** Which tree all checks speak of; nothing when the checkpoint cannot be read. */
function describeCheckpoint(context: BundleContext): Pick<BundleVerification, 'checkpoint' | 'status_as_of'> {
  try {
    const { checkpoint } = context.readCheckpoint();
    const at = context.options.checkpointAt ?? findLastTime(context);
    return {
      checkpoint: { origin: checkpoint.origin, tree_size: checkpoint.size, root_hash: formatHex(checkpoint.root) },
      status_as_of: at === undefined ? null : { tree_size: checkpoint.size, at },
    };
  } catch {
    // Its FAIL, with the reason, is among the checks.
    return { checkpoint: null, status_as_of: null };
  }
}

function findLastTime({ leaves }: BundleContext): string | undefined {
  const times = leaves.flatMap((leaf) => findEntry(leaf)?.at ?? []);
  return times.sort((a, b) => parseTimestamp(a) - parseTimestamp(b)).at(-1);
}
