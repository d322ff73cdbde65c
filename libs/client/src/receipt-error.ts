/**
 * Why a receipt is refused.
 * - `untrusted`: the keys that the trust file pins for this log did not sign it.
 * - `invalid`: it does not prove that the entry is in its tree.
 * - `inconsistent`: its tree and one that was verified before cannot belong to one log. Both notes prove it.
 * - `unproven`: the service did not prove that both trees belong to one log, or what was remembered of the log is
 *   damaged or signed by nobody whom the trust file names. `cause` says what failed.
 */
export type ReceiptErrorCode = 'untrusted' | 'invalid' | 'inconsistent' | 'unproven';

/** The consistency proof from a prefix of the larger tree to the larger tree. */
export type ReceiptPrefix = {
  readonly size: number;
  readonly root: Uint8Array;
  readonly proof: readonly Uint8Array[];
};

/**
 * A receipt that must not be relied on. What it is about was recorded all the same: repeat the request with the same
 * idempotency key to get it again.
 */
export class ReceiptError extends Error {
  override readonly name = 'ReceiptError';
  readonly code: ReceiptErrorCode;
  /** The receipt as it was given: keep it, it is signed. */
  readonly receipt: string;
  /** The signed checkpoint in it; null when it cannot be read. */
  readonly given: string | null;
  /** The signed checkpoint that was verified before; null when there is none. */
  readonly remembered: string | null;
  /** What shows that trees of different sizes contradict each other; null for any other reason. */
  readonly prefix: ReceiptPrefix | null;

  constructor(
    code: ReceiptErrorCode,
    reason: string,
    evidence: {
      readonly receipt: string;
      readonly given?: string;
      readonly remembered?: string;
      readonly prefix?: ReceiptPrefix | null;
      readonly cause?: unknown;
    },
  ) {
    super(`the receipt is refused (${code}): ${reason}`, { cause: evidence.cause });
    this.code = code;
    this.receipt = evidence.receipt;
    this.given = evidence.given ?? null;
    this.remembered = evidence.remembered ?? null;
    this.prefix = evidence.prefix ?? null;
  }
}
