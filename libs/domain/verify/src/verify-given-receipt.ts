import type { CheckResult, TrustFile } from '@answer-evidence/contracts';
import type { VerifySignature } from '@answer-evidence/note';
import { requirePins, verifyPinned } from './trusted-checkpoint.ts';
import { pass, skip } from './verdict.ts';
import { checkReceipt } from './verify-receipt.ts';
import { NO_TRUST } from './without-trust.ts';

/**
 * Verifies a receipt with what is at hand: without the text of its entry, and without a trust file, what needs them is
 * SKIP. Content is reported, never thrown.
 */
export function verifyGivenReceipt(
  receipt: string,
  entry: string | undefined,
  trust: TrustFile | undefined,
  verify: VerifySignature,
): Promise<readonly CheckResult[]> {
  return checkReceipt(receipt, entry, async ({ note, checkpoint }) => {
    if (trust === undefined) return skip(NO_TRUST);
    const keys = requirePins(trust, checkpoint.origin);
    const signers = await verifyPinned(note, checkpoint, keys, verify, 'ed25519-keys');
    return pass(`signed by ${signers.length === 1 ? 'the pinned key' : `${signers.length} pinned keys`}`);
  });
}
