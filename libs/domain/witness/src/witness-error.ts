/** A message of the witness protocol, or a list of logs, that is not of its form. */
export class WitnessError extends Error {
  override readonly name = 'WitnessError';
  /** What is wrong, in words and without any of the input; `message` is the same text. */
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
}
