import type { MismatchError as ClientMismatchError, ReceiptError, ReceiptErrorCode } from '@answer-evidence/client';
import type { Problem, ProblemCode } from '@answer-evidence/contracts';

/** Whatever this package throws or reports. No message holds a token or a submitted text. */
export class EvidenceError extends Error {
  override readonly name: string = 'EvidenceError';
  /** What went wrong, for programs. */
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** An option or an environment variable is missing or invalid. The message says which, and what to do. */
export class ConfigurationError extends EvidenceError {
  override readonly name = 'ConfigurationError';

  constructor(message: string, options?: ErrorOptions) {
    super('configuration', message, options);
  }
}

/** The service refused the request, or could not serve it. `code` is one of the service's documented error codes. */
export class ProblemError extends EvidenceError {
  override readonly name = 'ProblemError';
  declare readonly code: ProblemCode;
  readonly status: number;
  /** The whole problem (RFC 9457), with the place of each fault in `errors`. */
  readonly problem: Problem;
  /** Name it when you ask the operator about this request. */
  readonly requestId: string;
  /** How long the service asks to wait; null when it asks for nothing. */
  readonly retryAfterMs: number | null;

  constructor(message: string, problem: Problem, retryAfterMs: number | null, options?: ErrorOptions) {
    super(problem.code, message, options);
    this.status = problem.status;
    this.problem = problem;
    this.requestId = problem.request_id;
    this.retryAfterMs = retryAfterMs;
  }
}

/** A response that is not the service's, such as the page of a proxy or a redirect. Check the URL. */
export class ResponseError extends EvidenceError {
  override readonly name = 'ResponseError';
  declare readonly code: 'unexpected_response';
  readonly status: number;
  /** How long the response asks to wait; null when it asks for nothing. */
  readonly retryAfterMs: number | null;

  constructor(message: string, status: number, retryAfterMs: number | null, options?: ErrorOptions) {
    super('unexpected_response', message, options);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

/** No whole response came. Whether the request took effect is unknown; repeating it with its key is safe. */
export class TransportError extends EvidenceError {
  override readonly name: string = 'TransportError';
  declare readonly code: 'unreachable' | 'timeout';

  constructor(code: 'unreachable' | 'timeout', message: string, options?: ErrorOptions) {
    super(code, message, options);
  }
}

/** No whole response came in time. */
export class TimeoutError extends TransportError {
  override readonly name = 'TimeoutError';
  declare readonly code: 'timeout';

  constructor(message: string, options?: ErrorOptions) {
    super('timeout', message, options);
  }
}

/**
 * Why the queue does not hold an answer.
 * - `queue_full`: it held as many as it may.
 * - `queue_closed`: `close` was called.
 * - `queue_unwritable`: its folder could not be written.
 * - `queue_damaged`: a file in its folder cannot be read as an answer. It is in `rejected/` now.
 * - `queue_abandoned`: the process ended before the answer was sent.
 */
export type QueueErrorCode = 'queue_full' | 'queue_closed' | 'queue_unwritable' | 'queue_damaged' | 'queue_abandoned';

/** The queue does not hold an answer, or no longer does. */
export class QueueError extends EvidenceError {
  override readonly name = 'QueueError';
  declare readonly code: QueueErrorCode;

  constructor(code: QueueErrorCode, message: string, options?: ErrorOptions) {
    super(code, message, options);
  }
}

/** What was signed in a response that must not be relied on. */
export type Signed = {
  readonly receipt: string | null;
  readonly given: string | null;
  readonly remembered: string | null;
};

/**
 * A response must not be relied on, though the request may have taken effect. Keep what was signed: it is evidence.
 * `MismatchError` is the one whose response is about something else.
 */
export class VerificationError extends EvidenceError {
  override readonly name: string = 'VerificationError';
  declare readonly code: `receipt_${ReceiptErrorCode}` | 'response_mismatch';
  /** The receipt as it was given; null where there was none. */
  readonly receipt: string | null;
  /** The signed checkpoint in it; null when it cannot be read. */
  readonly given: string | null;
  /** The signed checkpoint that was verified before; null when there is none. */
  readonly remembered: string | null;

  constructor(code: VerificationError['code'], message: string, signed: Signed, options?: ErrorOptions) {
    super(code, message, options);
    this.receipt = signed.receipt;
    this.given = signed.given;
    this.remembered = signed.remembered;
  }

  /** The error of this package for a receipt that the client refused. */
  static ofReceipt(cause: ReceiptError): VerificationError {
    return new VerificationError(`receipt_${cause.code}`, cause.message, cause, { cause });
  }
}

/**
 * The response is not about what was sent or asked for: another record, key, application, text or event. With `trust`
 * or without. Sending the request again with its key is safe.
 */
export class MismatchError extends VerificationError {
  override readonly name = 'MismatchError';
  declare readonly code: 'response_mismatch';
  /** JSON pointers into the response to what differs, such as `/answer/hash`. */
  readonly fields: readonly string[];
  /** The ledger entry that the receipt is about; null where there was none. */
  readonly entry: string | null;

  constructor(cause: ClientMismatchError) {
    const { receipt, given } = cause;
    super('response_mismatch', cause.message, { receipt, given, remembered: null }, { cause });
    this.fields = cause.fields;
    this.entry = cause.entry;
  }
}
