/** A start that cannot go on, with one sentence that says what to do. It is shown alone, without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
