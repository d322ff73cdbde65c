import { verifySignature } from '@answer-evidence/client';
import type { TrustFile } from '@answer-evidence/contracts';
import { verifyTimestampOver } from '@answer-evidence/rfc3161';
import {
  BundleFormatError,
  type BundleVerification,
  type ReadTlog,
  verifyBundle as verify,
} from '@answer-evidence/verify';
import { EvidenceFormatError } from './evidence-format-error.ts';
import { readJson, readTrust } from './read-input.ts';
import { withLog } from './with-log.ts';

/** What a bundle may be verified with besides the keys that are trusted. */
export type VerifyBundleOptions = {
  /** The receipt (C2SP tlog-proof) that was saved when the answer was recorded. */
  readonly receipt?: string;
  /** The log itself, to check that no later event was left out; see `readLogAt` and `readLogIn`. */
  readonly log?: ReadTlog;
};

/**
 * Verifies a proof bundle against the caller's own trust file, check by check. Opens no connection and reads no clock,
 * unless `log` does. Each check has an outcome. `PASS` and `FAIL` were computed here, `SKIP` applies and is not decided
 * by what was given, `NA` does not apply. There is no verdict over all of them: decide which ones you need.
 *
 * @throws {EvidenceFormatError} The bundle or trust file is not one. A damaged bundle does not throw: its checks FAIL.
 */
export async function verifyBundle(
  bundle: string | Uint8Array,
  trust: string | Uint8Array | TrustFile,
  { receipt, log }: VerifyBundleOptions = {},
): Promise<BundleVerification> {
  const pins = readTrust(trust);
  const shown = readJson('bundle', bundle);
  const material = {
    verifySignature,
    verifyTimestamp: verifyTimestampOver,
    ...(receipt === undefined ? {} : { receipt }),
  };
  try {
    return await withLog(shown, log, (opened) => verify(shown, pins, { ...material, ...opened }));
  } catch (error) {
    if (!(error instanceof BundleFormatError)) throw error;
    throw new EvidenceFormatError('bundle', error.message, { cause: error });
  }
}
