/** Why a request is refused as a whole. */
export type OtlpFault =
  /** Not a message of the encoding: truncated, not UTF-8, a field of another type than the specification gives it. */
  | 'malformed'
  /** A request of the other signal, or of both at once. */
  | 'wrong_signal'
  /** More spans, log records, resources or scopes than one request may bring. */
  | 'too_many_items'
  /** More values than one request may bring, whatever they are attached to. */
  | 'too_many_values'
  /** JSON that nests deeper than any value that is accepted. */
  | 'too_deep';

/** A request that is refused as a whole. The message tells a developer what to do and holds nothing that was sent. */
export class OtlpError extends Error {
  override readonly name = 'OtlpError';
  readonly fault: OtlpFault;
  /** Where: a message and its field for protobuf, a JSON pointer for JSON; empty for the request as such. */
  readonly field: string;

  constructor(fault: OtlpFault, message: string, field = '') {
    super(message);
    this.fault = fault;
    this.field = field;
  }
}
