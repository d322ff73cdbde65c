import { verifySignature } from '@answer-evidence/client';
import type { CheckResult } from '@answer-evidence/contracts';
import { NoteError } from '@answer-evidence/note';
import { verifyReceipt as verify } from '@answer-evidence/verify';
import { EvidenceFormatError } from './evidence-format-error.ts';

/**
 * Verifies a receipt (C2SP tlog-proof) of a ledger entry under the verifier keys (C2SP vkeys) that the caller trusts:
 * the entry is canonical, it is in the tree of the receipt's checkpoint, and one of the keys signed that checkpoint.
 * `entry` is the exact text, without a line break at its end.
 *
 * @throws {EvidenceFormatError} A verifier key cannot be read. A damaged receipt does not throw: its checks FAIL.
 */
export async function verifyReceipt(
  receipt: string,
  entry: string,
  vkeys: readonly string[],
): Promise<readonly CheckResult[]> {
  try {
    return await verify(receipt, entry, vkeys, verifySignature);
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    throw new EvidenceFormatError('verifier key', error.message, { cause: error });
  }
}
