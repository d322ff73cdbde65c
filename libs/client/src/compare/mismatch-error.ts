import { NoteError, parseTlogProof } from '@answer-evidence/note';
import type { Differences } from './differences.ts';

/** What a refused response showed of its place in the log. A response without a receipt has none of it. */
export type ShownPlace = { readonly receipt?: string; readonly ledger?: { readonly entry?: string } };

/**
 * The response is not about what was sent or asked for, such as the record of another answer. Nothing of it may be
 * used. Whether the request took effect is unknown; repeating it with its idempotency key is safe.
 */
export class MismatchError extends Error {
  override readonly name = 'MismatchError';
  readonly code = 'response_mismatch';
  /** JSON pointers into the response to what differs. */
  readonly fields: Differences;
  /** The receipt as it was given: keep it, it is signed. Null where there was none. */
  readonly receipt: string | null;
  /** The ledger entry that the receipt is about; null where there was none. */
  readonly entry: string | null;
  /** The signed checkpoint in the receipt; null when there is none that can be read. */
  readonly given: string | null;

  constructor(fields: Differences, { receipt, ledger }: ShownPlace = {}, options?: ErrorOptions) {
    const verb = fields.length === 1 ? 'differs' : 'differ';
    super(`the response is not about what was sent: ${fields.slice(0, SHOWN_MAX).join(', ')} ${verb}`, options);
    this.fields = fields;
    this.receipt = receipt ?? null;
    this.entry = ledger?.entry ?? null;
    this.given = receipt === undefined ? null : checkpointOf(receipt);
  }
}

/** So many pointers are in the message. */
const SHOWN_MAX = 10;

/** A refused response as it is kept: what differs, and what was signed. No text of a question or an answer. */
export type MismatchEvidence = {
  readonly format: 'answer-evidence-mismatch/v1';
  readonly fields: Differences;
  readonly entry: string | null;
  readonly receipt: string | null;
};

/** What is to be kept of a refused response. */
export function evidenceOf({ fields, entry, receipt }: MismatchError): MismatchEvidence {
  return { format: 'answer-evidence-mismatch/v1', fields, entry, receipt };
}

function checkpointOf(receipt: string): string | null {
  try {
    return parseTlogProof(receipt).checkpoint;
  } catch (error) {
    if (error instanceof NoteError) return null;
    throw error;
  }
}
