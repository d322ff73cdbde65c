/** A key, note, checkpoint or proof that is not of its format, or a note that no known key vouches for. */
export class NoteError extends Error {
  override readonly name = 'NoteError';
  /** What is wrong, in words and without any of the input; `message` is the same text. */
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
}
