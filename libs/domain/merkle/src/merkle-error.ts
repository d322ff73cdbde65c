/** A proof that does not prove, or a position, size or hash that cannot be one of a tree. */
export class MerkleError extends Error {
  override readonly name = 'MerkleError';
  /** What is wrong, in words; `message` is the same text. */
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
}
