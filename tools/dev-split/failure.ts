/** What a person can put right; its message says how. */
export class SplitFailure extends Error {
  override readonly name = 'SplitFailure';
}
