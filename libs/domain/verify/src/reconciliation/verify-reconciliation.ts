import {
  RECONCILIATION_CHECKS,
  type ReconciliationCheckName,
  type ReconciliationCheckResult,
  type RunCounts,
  type TrustFile,
} from '@answer-evidence/contracts';
import { formatHex } from '@answer-evidence/encoding';
import { createCheckpointContext } from '../checkpoint-context.ts';
import { checkAnchored, checkExternalAnchor, checkWitnesses } from '../checks/anchoring.ts';
import { checkCheckpointSignature } from '../checks/checkpoint.ts';
import { checkLogOrder } from '../checks/log-order.ts';
import { CheckFailure, runCheck, runChecks, type Verdict } from '../verdict.ts';
import type { VerifyOptions } from '../verify-options.ts';
import { checkEarlierRuns } from './check-earlier.ts';
import { checkRecordLeaves, checkRunEntry, checkRunInclusion, checkSnapshot, checkStatement } from './check-log.ts';
import { checkCounts, checkFindings, checkRecords, checkReferences } from './check-sets.ts';
import { RECONCILIATION_DOES_NOT_PROVE } from './does-not-prove.ts';
import { createProofContext, type ProofContext, type ReconciliationFiles } from './proof-context.ts';
import { readReconciliationProof } from './read-proof.ts';

/**
 * The result of verifying a run: every check once, in the order of `RECONCILIATION_CHECKS`. `pins` are the vkeys of the
 * trust file whose signatures were found good. `counts` is what references and records come to, by this verifier; null
 * when they cannot be read.
 */
export type ReconciliationVerification = {
  readonly run_id: string | null;
  readonly checks: readonly ReconciliationCheckResult[];
  readonly checkpoint: { readonly origin: string; readonly tree_size: number; readonly root_hash: string } | null;
  readonly counts: RunCounts | null;
  readonly pins: readonly string[];
};

/** A check without a function does not compile. */
const CHECK_FUNCTIONS: Readonly<
  Record<ReconciliationCheckName, (context: ProofContext) => Verdict | Promise<Verdict>>
> = {
  references: checkReferences,
  records: checkRecords,
  record_leaves: checkRecordLeaves,
  earlier_runs: checkEarlierRuns,
  findings: checkFindings,
  counts: checkCounts,
  statement: checkStatement,
  leaf_entry: checkRunEntry,
  log_order: checkLogOrder,
  merkle_inclusion: checkRunInclusion,
  checkpoint_signature: checkCheckpointSignature,
  checkpoint_consistency: checkSnapshot,
  witness_cosignatures: checkWitnesses,
  external_anchor: checkExternalAnchor,
  anchored: checkAnchored,
};

/**
 * Verifies a run of reconciliation against the verifier's own pins: decides again from the caller's references and the
 * record set, and compares with what the log holds of the run. Nothing in the proof is believed, nothing is fetched and
 * no clock is read. Content never makes it throw; only input that does not name the format does (`BundleFormatError`),
 * and whatever reading the lines of the record set throws.
 */
export async function verifyReconciliation(
  proof: unknown,
  files: ReconciliationFiles,
  trust: TrustFile,
  options: VerifyOptions,
): Promise<ReconciliationVerification> {
  const read = readReconciliationProof(proof);
  if (read.kind === 'malformed') {
    const failure = new CheckFailure(read.reason);
    const fail = (): Verdict => {
      throw failure;
    };
    const checks = RECONCILIATION_CHECKS.map((check) => runCheck(check, fail, RECONCILIATION_DOES_NOT_PROVE));
    return { run_id: null, checks: await Promise.all(checks), checkpoint: null, counts: null, pins: [] };
  }
  const base = createCheckpointContext(read.proof, trust, options, [{ ...read.proof.run, name: 'the run' }]);
  const context = await createProofContext(base, read.proof, files);
  const checks = await runChecks(RECONCILIATION_CHECKS, CHECK_FUNCTIONS, context, RECONCILIATION_DOES_NOT_PROVE);
  return {
    run_id: read.proof.run.core.run_id,
    checks,
    checkpoint: describeCheckpoint(context),
    counts: findCounts(context),
    pins: [...context.pins],
  };
}

/** Which tree all checks speak of; nothing when the checkpoint cannot be read. */
function describeCheckpoint({ readCheckpoint }: ProofContext): ReconciliationVerification['checkpoint'] {
  try {
    const { checkpoint } = readCheckpoint();
    return { origin: checkpoint.origin, tree_size: checkpoint.size, root_hash: formatHex(checkpoint.root) };
  } catch {
    // Its FAIL, with the reason, is among the checks.
    return null;
  }
}

function findCounts({ decision }: ProofContext): RunCounts | null {
  try {
    return decision().counts;
  } catch {
    // The FAIL of the records says why.
    return null;
  }
}
