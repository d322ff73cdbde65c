/** Which of the inputs of a verification is meant. */
export type EvidenceFile = 'bundle' | 'trust file' | 'receipt' | 'verifier key' | 'proof' | 'references';

/**
 * An input is not of the format that it should be, so there is nothing to check. A damaged bundle, receipt or proof
 * that still names its format does not cause this: its checks FAIL. The message quotes nothing of the input.
 */
export class EvidenceFormatError extends Error {
  override readonly name = 'EvidenceFormatError';
  /** Which input it is. */
  readonly file: EvidenceFile;

  constructor(file: EvidenceFile, reason: string, options?: ErrorOptions) {
    super(`the ${file} cannot be read: ${reason}`, options);
    this.file = file;
  }
}
