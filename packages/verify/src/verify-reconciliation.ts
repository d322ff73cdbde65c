import { verifySignature } from '@answer-evidence/client';
import type { ReferenceRequest, TrustFile } from '@answer-evidence/contracts';
import { verifyTimestampOver } from '@answer-evidence/rfc3161';
import {
  BundleFormatError,
  type ReadTlog,
  type ReconciliationVerification,
  verifyReconciliation as verify,
} from '@answer-evidence/verify';
import { EvidenceFormatError } from './evidence-format-error.ts';
import { readJson, readReferences, readTrust } from './read-input.ts';
import { withLog } from './with-log.ts';

/** What a run of reconciliation is verified with. */
export type ReconciliationInputs = {
  /** The caller's own list, as the run was asked for with it. */
  readonly references: readonly ReferenceRequest[];
  /** The lines of the record set, in the order of the file, without line feeds. They are read once. */
  readonly records: Iterable<string> | AsyncIterable<string>;
  /** The lines of the findings, in the order of the file, where they are at hand. */
  readonly findings?: readonly string[];
  /** Earlier runs with the lists that they were asked for with, where they are at hand. */
  readonly earlier?: readonly {
    readonly proof: string | Uint8Array;
    readonly references: readonly ReferenceRequest[];
  }[];
};

/** What a run may be verified with besides. */
export type VerifyReconciliationOptions = {
  /** The log itself, to check that it holds each record of the set; see `readLogAt` and `readLogIn`. */
  readonly log?: ReadTlog;
};

/**
 * Verifies the proof of a run of reconciliation: decides the run again from the caller's list and the record set, and
 * compares with what the log holds of it. Opens no connection and reads no clock, unless `log` does.
 *
 * @throws {EvidenceFormatError} The proof, the list or the trust file is not one. A damaged proof does not throw.
 */
export async function verifyReconciliation(
  proof: string | Uint8Array,
  { references, earlier = [], ...lines }: ReconciliationInputs,
  trust: string | Uint8Array | TrustFile,
  { log }: VerifyReconciliationOptions = {},
): Promise<ReconciliationVerification> {
  const pins = readTrust(trust);
  const shown = readJson('proof', proof);
  const files = {
    ...lines,
    references: readReferences(references),
    earlier: earlier.map((run) => ({
      proof: readJson('proof', run.proof),
      references: readReferences(run.references),
    })),
  };
  try {
    return await withLog(shown, log, (opened) =>
      verify(shown, files, pins, { verifySignature, verifyTimestamp: verifyTimestampOver, ...opened }),
    );
  } catch (error) {
    if (!(error instanceof BundleFormatError)) throw error;
    throw new EvidenceFormatError('proof', error.message, { cause: error });
  }
}
